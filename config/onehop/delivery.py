"""Bringing Django's response to the client."""

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.http import FileResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

from config.onehop.body import ClientGone
from config.onehop.types import Headers, Message, Send

STALL_SECONDS = 60.0
POLL_SECONDS = 0.25
CHUNK_BYTES = 64 * 1024
# A file up to this size is read whole, so that a slow reader does not occupy a thread.
FILE_IN_MEMORY_BYTES = 8 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Answer:
    """A response that is complete in memory."""

    status: int
    headers: Headers
    body: bytes

    async def send(self, send: Send) -> None:
        await send(start_message(self.status, self.headers))
        await send({"type": "http.response.body", "body": self.body})


class ThreadStream:
    """Sends an iterator's chunks from its own thread, at the pace the client takes them.

    The iterator stays on the thread that made it: it may hold that thread's database cursor.
    """

    def __init__(self, send: Send, on_start: Callable[[], None]) -> None:
        self._loop = asyncio.get_running_loop()
        self._send = send
        self._on_start = on_start
        self._gone = threading.Event()
        self.started = False

    def abandon(self) -> None:
        """Nobody listens any more: the next chunk raises `ClientGone` in the thread."""
        self._gone.set()

    def run(self, status: int, headers: Headers, chunks: Iterator[bytes]) -> None:
        self._loop.call_soon_threadsafe(self._on_start)
        self._hand_over(start_message(status, headers))
        self.started = True
        for chunk in chunks:
            if chunk:
                self._hand_over({"type": "http.response.body", "body": chunk, "more_body": True})
        self._hand_over({"type": "http.response.body", "body": b""})

    def _hand_over(self, message: Message) -> None:
        """Wait until the server took the message; it takes none while the client's buffer is full."""
        if self._gone.is_set():
            raise ClientGone
        sent = asyncio.run_coroutine_threadsafe(self._forward(message), self._loop)
        deadline = time.monotonic() + STALL_SECONDS
        while True:
            try:
                return sent.result(POLL_SECONDS)
            except TimeoutError:
                if self._gone.is_set() or time.monotonic() > deadline:
                    sent.cancel()
                    raise ClientGone from None

    async def _forward(self, message: Message) -> None:
        await self._send(message)


async def send_async_chunks(response: StreamingHttpResponse, send: Send) -> None:
    """Send an async iterator's chunks from the event loop; `send` waits while the buffer is full."""
    await send(start_message(response.status_code, encoded_headers(response)))
    async with contextlib.aclosing(aiter(response)) as chunks:
        async for chunk in chunks:
            if chunk:
                await send({"type": "http.response.body", "body": chunk, "more_body": True})
    await send({"type": "http.response.body", "body": b""})


def start_message(status: int, headers: Headers) -> Message:
    return {"type": "http.response.start", "status": status, "headers": headers}


def encoded_headers(response: HttpResponseBase) -> Headers:
    """The response's headers and cookies as ASGI wants them."""
    headers = [(name.lower().encode("ascii"), value.encode("latin-1")) for name, value in response.items()]
    headers += [(b"set-cookie", cookie.OutputString().encode("ascii")) for cookie in response.cookies.values()]
    return headers


def fits_in_memory(response: HttpResponseBase) -> bool:
    """Whether a streaming response is a file small enough to be read at once."""
    if not isinstance(response, FileResponse):
        return False
    length = response.headers.get("Content-Length", "")
    return length.isdigit() and int(length) <= FILE_IN_MEMORY_BYTES
