"""Requests that never give up: each goes on under its key until it is answered, and every answer met is kept."""

import asyncio
import time
import uuid
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import httpx

AGAIN_SECONDS = 0.2
SERVER_FAULT = 500
TOO_MANY = 429


@dataclass(slots=True)
class Seen:
    """What the callers met: answers by status, faults with their moment, requests under way and cut off by kind."""

    statuses: Counter[int | str] = field(default_factory=Counter)
    faults: list[tuple[float, int]] = field(default_factory=list)
    under_way: Counter[str] = field(default_factory=Counter)
    cut_off: Counter[str] = field(default_factory=Counter)


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody with a key."""

    url: str
    key: str
    http: httpx.AsyncClient
    seen: Seen

    async def post(self, path: str, body: Any, *, kind: str = "other") -> httpx.Response:
        """The answer that counts: neither a fault of the server's nor silence."""
        headers = {"Authorization": f"Bearer {self.key}", "Idempotency-Key": uuid.uuid4().hex}
        while True:
            answer = await self._tried(path, body, headers, kind)
            if answer is not None and answer.status_code < SERVER_FAULT and answer.status_code != TOO_MANY:
                return answer
            await asyncio.sleep(AGAIN_SECONDS)

    async def _tried(self, path: str, body: Any, headers: dict[str, str], kind: str) -> httpx.Response | None:
        self.seen.under_way[kind] += 1
        try:
            answer = await self.http.post(f"{self.url}/api/v1{path}", json=body, headers=headers)
        except httpx.HTTPError as problem:
            self.seen.statuses[type(problem).__name__] += 1
            self.seen.cut_off[kind] += 1
            return None
        finally:
            self.seen.under_way[kind] -= 1
        self.seen.statuses[answer.status_code] += 1
        if answer.status_code >= SERVER_FAULT:
            self.seen.faults.append((time.monotonic(), answer.status_code))
        return answer
