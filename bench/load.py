"""A small HTTP/1.1 load generator on raw sockets: cheap enough that the server is what is measured."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import urlsplit


@dataclass(frozen=True, slots=True)
class Result:
    per_second: float
    p50_ms: float
    p99_ms: float
    statuses: dict[int, int]

    def __str__(self) -> str:
        statuses = " ".join(f"{status}×{count}" for status, count in sorted(self.statuses.items()))
        return f"{self.per_second:8.0f}/s   p50 {self.p50_ms:6.1f} ms   p99 {self.p99_ms:6.1f} ms   {statuses}"


def run(url: str, request: Callable[[int], tuple[str, bytes]], *, key: str, connections: int, seconds: float) -> Result:
    """Posts `request(number)` → (path, body) over and over on so many connections for so long."""
    return asyncio.run(measured(url, request, key=key, connections=connections, seconds=seconds))


async def measured(
    url: str, request: Callable[[int], tuple[str, bytes]], *, key: str, connections: int, seconds: float
) -> Result:
    address = urlsplit(url)
    numbers = iter(range(10**9))
    statuses: Counter[int] = Counter()
    times: list[float] = []
    end = time.perf_counter() + seconds

    async def talk() -> None:
        reader, writer = await asyncio.open_connection(address.hostname, address.port)
        while (begin := time.perf_counter()) < end:
            path, body = request(next(numbers))
            writer.write(head(path, body, host=address.netloc, key=key) + body)
            statuses[await answered(reader)] += 1
            times.append(time.perf_counter() - begin)
        writer.close()

    begin = time.perf_counter()
    await asyncio.gather(*(talk() for _ in range(connections)))
    took = time.perf_counter() - begin
    times.sort()
    return Result(
        len(times) / took, 1000 * times[len(times) // 2], 1000 * times[int(len(times) * 0.99)], dict(statuses)
    )


def head(path: str, body: bytes, *, host: str, key: str) -> bytes:
    return (
        f"POST {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {key}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    ).encode()


async def answered(reader: asyncio.StreamReader) -> int:
    """Reads one whole answer; its status."""
    header = await reader.readuntil(b"\r\n\r\n")
    length = 0
    for line in header.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    await reader.readexactly(length)
    return int(header[9:12])
