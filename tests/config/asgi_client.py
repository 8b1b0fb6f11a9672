"""A client that speaks ASGI to an application and can misbehave at will."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

BODY_LIMIT = 1000


async def until(condition: Callable[[], Any]) -> None:
    async with asyncio.timeout(5):
        while not condition():
            await asyncio.sleep(0.005)


@dataclass
class Client:
    """One request: `chunks` are sent as the body; then the connection stays until `leave`."""

    path: str
    method: str = "GET"
    query: bytes = b""
    chunks: list[bytes] = field(default_factory=lambda: [b""])
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    root_path: str = ""
    scheme: str = "http"
    reads: int | None = None
    """How many messages it takes before it stops reading; all of them when not said."""

    def __post_init__(self) -> None:
        self.sent: list[dict[str, Any]] = []
        self.received_chunks = 0
        self.gone = asyncio.Event()
        self.reading = asyncio.Event()
        self.reading.set()

    @property
    def scope(self) -> dict[str, Any]:
        return {
            "type": "http",
            "method": self.method,
            "path": self.path,
            "query_string": self.query,
            "root_path": self.root_path,
            "scheme": self.scheme,
            "headers": self.headers,
            "client": ("192.0.2.7", 4000),
            "server": ("testserver", 80),
        }

    async def receive(self) -> dict[str, Any]:
        if self.received_chunks < len(self.chunks):
            chunk = self.chunks[self.received_chunks]
            self.received_chunks += 1
            return {
                "type": "http.request",
                "body": chunk,
                "more_body": self.received_chunks < len(self.chunks),
            }
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message: dict[str, Any]) -> None:
        await self.reading.wait()
        if not self.gone.is_set():
            self.sent.append(message)
        if len(self.sent) == self.reads:
            self.reading.clear()

    def leave(self) -> None:
        self.gone.set()
        self.reading.set()

    async def of(self, application: Any) -> "Client":
        await application(self.scope, self.receive, self.send)
        return self

    @property
    def status(self) -> int:
        assert self.sent[0]["type"] == "http.response.start"
        return int(self.sent[0]["status"])

    @property
    def response_headers(self) -> list[tuple[str, str]]:
        return [(name.decode(), value.decode("latin-1")) for name, value in self.sent[0]["headers"]]

    def header(self, name: str) -> str | None:
        return next((value for key, value in self.response_headers if key == name), None)

    @property
    def body(self) -> bytes:
        assert not self.sent[-1].get("more_body"), "the answer is not complete"
        return b"".join(message.get("body", b"") for message in self.sent[1:])
