"""Sends each kind of ASGI connection to its handler."""

from dataclasses import dataclass
from typing import Any

from config.lifespan import Lifespan
from config.onehop import OneHop, refusals
from config.onehop.types import Receive, Scope, Send

TRY_AGAIN_LATER = 1013


@dataclass(frozen=True, slots=True)
class Application:
    """The whole server. Embedded mode serves nothing before its services run: without them a
    deadline would never fall and a broadcast would vanish without an error."""

    http: OneHop
    websocket: Any
    lifespan: Lifespan
    needs_lifespan: bool

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        kind = scope["type"]
        if kind == "lifespan":
            await self.lifespan(scope, receive, send)
        elif kind not in {"http", "websocket"}:
            raise ValueError(f"cannot serve ASGI connections of type {kind!r}")
        elif self.needs_lifespan and not self.lifespan.started:
            await self._refuse(kind, receive, send)
        elif kind == "http":
            await self.http(scope, receive, send)
        else:
            await self.websocket(scope, receive, send)

    async def _refuse(self, kind: str, receive: Receive, send: Send) -> None:
        if kind == "http":
            await refusals.not_started().send(send)
        else:
            await receive()
            await send({"type": "websocket.close", "code": TRY_AGAIN_LATER})
