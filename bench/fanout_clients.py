"""Many plain websocket readers in one loop: a handshake, then frames cut out of the stream."""

import asyncio
import base64
import os
import re
import struct
import time
from typing import Any
from urllib.parse import urlsplit

EVENT = re.compile(rb'"type": ?"event", ?"seq": ?(\d+)')
SENT_AT = re.compile(rb'"at": ?(\d+)')
MASK = bytes(4)


class Reader(asyncio.Protocol):
    """One socket: the numbers of the events it got, and when the newest arrived."""

    def __init__(self, path: str) -> None:
        self._path, self._buffer, self._open = path, b"", False
        self.opened = asyncio.get_running_loop().create_future()
        self.numbers: list[int] = []
        self.arrivals: list[float] = []
        self.latencies: list[float] = []

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        key = base64.b64encode(os.urandom(16)).decode()
        transport.write(
            f"GET {self._path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode()
        )

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        if not self._open:
            head, end, rest = self._buffer.partition(b"\r\n\r\n")
            if not end:
                return
            if b" 101 " not in head:
                self.opened.set_exception(ConnectionError(head.decode()))
                return
            self._open, self._buffer = True, rest
            self.opened.set_result(None)
        while (frame := self._frame()) is not None:
            self._take(*frame)

    def _frame(self) -> tuple[int, bytes] | None:
        buffer = self._buffer
        if len(buffer) < 2:
            return None
        length, start = buffer[1] & 127, 2
        if length == 126:
            if len(buffer) < 4:
                return None
            length, start = struct.unpack("!H", buffer[2:4])[0], 4
        if len(buffer) < start + length:
            return None
        self._buffer = buffer[start + length :]
        return buffer[0] & 15, buffer[start : start + length]

    def _take(self, opcode: int, body: bytes) -> None:
        if opcode == 9:  # a ping wants its pong
            self._transport.write(bytes([0x8A, 0x80 | len(body)]) + MASK + body)
        elif opcode == 1 and (event := EVENT.search(body)):
            now = time.time()
            self.numbers.append(int(event[1]))
            self.arrivals.append(now)
            if sent := SENT_AT.search(body):
                self.latencies.append(now - int(sent[1]) / 1e6)


class Crowd:
    """All readers of a run."""

    def __init__(self, url: str, paths: list[str]) -> None:
        self._address = urlsplit(url)
        self._paths = paths
        self.readers: list[Reader] = []

    async def __aenter__(self) -> "Crowd":
        loop = asyncio.get_running_loop()
        self._transports = []
        for path in self._paths:
            transport, reader = await loop.create_connection(
                lambda path=path: Reader(path), self._address.hostname, self._address.port
            )
            await asyncio.wait_for(reader.opened, 30)
            self._transports.append(transport)
            self.readers.append(reader)
        return self

    async def __aexit__(self, *_: object) -> None:
        for transport in self._transports:
            transport.abort()
        await asyncio.sleep(0.2)

    async def got(self, count: int, *, timeout: float) -> None:
        """Until everybody has so many events, or the time is over."""
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline and any(len(reader.numbers) < count for reader in self.readers):
            await asyncio.sleep(0.02)

    def latencies(self) -> list[float]:
        return [latency for reader in self.readers for latency in reader.latencies]

    def first_arrival_after(self, count: int) -> float:
        return min(reader.arrivals[count] for reader in self.readers if len(reader.arrivals) > count)

    @property
    def last_arrival(self) -> float:
        return max(reader.arrivals[-1] for reader in self.readers if reader.arrivals)

    def complete(self, count: int) -> float:
        """The share of readers that got every event once and in order."""
        wanted = list(range(2, 2 + count))
        return sum(reader.numbers == wanted for reader in self.readers) / len(self.readers)
