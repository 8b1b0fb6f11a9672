"""A watcher on the wire: opens a socket with a ticket or a session, and collects what it is told."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from tests.live_server import LiveServer

SECONDS = 30


class Api:
    """Calls to the server under one key."""

    def __init__(self, server: LiveServer, role: str, participant: str | None = None) -> None:
        self.server = server
        headers = {"Authorization": f"Bearer {server.key(role, participant)}"}
        self.client = httpx.AsyncClient(base_url=f"{server.url}/api/v1", headers=headers, timeout=30)

    async def post(self, path: str, body: Any = None, *, status: int | None = None) -> dict[str, Any]:
        answer = await self.client.post(path, json={} if body is None else body)
        assert answer.status_code == status if status else answer.is_success, answer.text
        return answer.json()

    async def ticket(self) -> str:
        return str((await self.post("/ws-ticket", status=200))["ticket"])

    async def opened(self, **terms: Any) -> str:
        """A new conversation's id."""
        given = {"initiator": "bank", "responder": "customer", "max_depth": 5000, **terms}
        return str((await self.post("/relationships", given, status=201))["id"])

    async def speak(self, relationship: str, times: int = 1, *, sender: str = "bank") -> None:
        for number in range(times):
            await self.post(f"/relationships/{relationship}/intents", {"sender": sender, "intent": f"ask_{number}"})


class Watcher:
    """One open socket."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.heard: list[dict[str, Any]] = []

    async def next(self) -> dict[str, Any]:
        async with asyncio.timeout(SECONDS):
            self.heard.append(json.loads(await self.socket.recv()))
        return self.heard[-1]

    async def until(self, wanted: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        """The first message like that, now or in time."""
        while not wanted(message := await self.next()):
            pass
        return message

    async def events_until(self, seq: int) -> list[int]:
        """The numbers of all events heard so far, once this one was."""
        while seq not in (numbers := [each["seq"] for each in self.heard if each["type"] == "event"]):
            await self.next()
        return numbers

    async def say(self, **message: Any) -> None:
        await self.socket.send(json.dumps(message))

    async def closed(self, within: float = SECONDS) -> int | None:
        """The code the server closes with, whatever it says before."""
        async with asyncio.timeout(within):
            try:
                while True:
                    self.heard.append(json.loads(await self.socket.recv()))
            except ConnectionClosed:
                return self.socket.close_code


@asynccontextmanager
async def watching(
    server: LiveServer, path: str, *, api: Api | None = None, session: str = "", **options: Any
) -> AsyncIterator[Watcher]:
    """A socket opened with the key's ticket, or with a session's cookie, or with neither."""
    address = server.url.replace("http", "ws", 1) + path
    if api is not None:
        address += f"{'&' if '?' in path else '?'}ticket={await api.ticket()}"
    headers = {"Cookie": f"sessionid={session}"} if session else {}
    async with connect(address, additional_headers=headers, **options) as socket:
        yield Watcher(socket)


def summary_of(relationship: str, **wanted: Any) -> Any:
    def is_it(message: dict[str, Any]) -> bool:
        return message["type"] == "summary" and message["id"] == relationship and wanted.items() <= message.items()

    return is_it
