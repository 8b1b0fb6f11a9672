"""Websockets in the log and in the counts: which kind, which conversation, how long, how it ended."""

import time
from typing import Any

import structlog

from config.instruments import SOCKETS
from config.middleware.request_log import accepted_id
from config.onehop.types import Receive, Scope, Send
from conversations.routing import websocket_urlpatterns

log = structlog.get_logger("lastword.socket")
NO_ROUTE = "(no route)"


class SocketLog:
    """Surrounds the whole handling, so that a refused socket is told of as well."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        route, relationship_id = route_of(scope["path"])
        began, closed_with = time.perf_counter(), None

        async def noting(message: Any) -> None:
            nonlocal closed_with
            if message["type"] == "websocket.close":
                closed_with = message.get("code", 1000)
            await send(message)

        offered = dict(scope.get("headers", ())).get(b"x-request-id", b"").decode("latin-1")
        bound = {"request_id": accepted_id(offered), "relationship_id": relationship_id}
        with structlog.contextvars.bound_contextvars(**bound), SOCKETS.labels(route).track_inprogress():
            try:
                await self._inner(scope, receive, noting)
            finally:
                log.info("socket", route=route, code=closed_with, seconds=round(time.perf_counter() - began, 1))


def route_of(path: str) -> tuple[str, str | None]:
    """The pattern of a socket's address, and the conversation it names."""
    for pattern in websocket_urlpatterns:
        match = pattern.resolve(path.removeprefix("/"))
        if match is not None:
            found = match.kwargs.get("relationship_id")
            return f"/{match.route}", None if found is None else str(found)
    return NO_ROUTE, None
