"""Watchers on sockets (I14): they come back when cut off, and at the end must have every event once, in order."""

import asyncio
import json
import threading
import time
from contextlib import suppress
from dataclasses import dataclass, field

import httpx
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

CATCH_UP_SECONDS = 60
BACK_AFTER_SECONDS = 0.5


@dataclass(slots=True)
class Watchers:
    """One socket a conversation, each told from where to go on."""

    url: str
    headers: dict[str, str]
    last: dict[str, int]
    flaws: list[str] = field(default_factory=list)
    cut_off: int = 0
    _stop: threading.Event = field(default_factory=threading.Event)

    def start(self) -> None:
        threading.Thread(target=lambda: asyncio.run(self._run()), daemon=True).start()

    def catch_up(self) -> None:
        """Waits until every watcher has what the server has; says which does not."""
        with httpx.Client(headers=self.headers, timeout=60) as http:
            heads = {one: http.get(f"{self.url}/api/v1/relationships/{one}").json()["head"]["seq"] for one in self.last}
        deadline = time.monotonic() + CATCH_UP_SECONDS
        while self.last != heads and time.monotonic() < deadline:
            time.sleep(0.2)
        self._stop.set()
        assert self.last == heads, f"I14: watchers have {self.last}, the server {heads}"
        assert not self.flaws, f"I14: {self.flaws[:5]}"

    async def _run(self) -> None:
        async with httpx.AsyncClient(headers=self.headers, timeout=10) as http:
            await asyncio.gather(*(self._watch(http, conversation) for conversation in self.last))

    async def _watch(self, http: httpx.AsyncClient, conversation: str) -> None:
        while not self._stop.is_set():
            with suppress(OSError, WebSocketException, httpx.HTTPError, TimeoutError):
                await self._connected(http, conversation)
            self.cut_off += 1
            await asyncio.sleep(BACK_AFTER_SECONDS)

    async def _connected(self, http: httpx.AsyncClient, conversation: str) -> None:
        ticket = (await http.post(f"{self.url}/api/v1/ws-ticket", json={})).raise_for_status().json()["ticket"]
        address = f"{self.url.replace('http', 'ws')}/ws/relationships/{conversation}"
        async with connect(f"{address}?ticket={ticket}&after_seq={self.last[conversation]}") as socket:
            async for message in socket:
                told = json.loads(message)
                if told["type"] != "event":
                    continue
                if told["seq"] != self.last[conversation] + 1:
                    self.flaws.append(f"{conversation}: {told['seq']} after {self.last[conversation]}")
                self.last[conversation] = told["seq"]
