"""Websockets: origin check, session login, and the apps' routes."""

from datetime import UTC, datetime
from typing import Any
from urllib.parse import ParseResult, urlparse

from channels.auth import AuthMiddlewareStack
from channels.generic.websocket import AsyncWebsocketConsumer
from channels.routing import URLRouter
from channels.security.websocket import OriginValidator
from django.conf import settings
from django.urls import re_path

from config.middleware.session_age import SIGNED_IN_AT
from config.socket_log import SocketLog
from conversations.routing import websocket_urlpatterns

NO_RIGHT, NOT_FOUND = 4403, 4404


class SameOriginWhereSent(OriginValidator):
    """Browsers always send Origin; a program that sends none has no cookies to be tricked out of."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        sent = dict(scope["headers"]).get(b"origin")
        try:
            allowed = self.valid_origin(None if sent is None else urlparse(sent.decode("latin1")))
        except ValueError:  # no address at all
            allowed = False
        await (self.application if allowed else ForeignOrigin.as_asgi())(scope, receive, send)

    def valid_origin(self, parsed_origin: ParseResult | None) -> bool:
        return parsed_origin is None or bool(super().valid_origin(parsed_origin))


class Refusal(AsyncWebsocketConsumer):
    """Accepts and closes, so that the client can read why."""

    code: int

    async def connect(self) -> None:
        await self.accept()
        await self.close(code=self.code)


class UnknownPath(Refusal):
    code = NOT_FOUND


class ForeignOrigin(Refusal):
    code = NO_RIGHT


class LoginEnd:
    """Tells the sockets when a login ends at the latest; no request comes by to end it, as for pages."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        # the login was just looked up in this session, so reading it asks no database
        if scope["user"].is_authenticated and (began := scope["session"].get(SIGNED_IN_AT)):
            ends_at = datetime.fromtimestamp(began + settings.LASTWORD_SESSION_SECONDS, UTC)
            scope = {**scope, "login_ends_at": ends_at}
        await self._inner(scope, receive, send)


def build() -> Any:
    router = URLRouter([*websocket_urlpatterns, re_path(r"", UnknownPath.as_asgi())])
    origins = [*settings.ALLOWED_HOSTS, *settings.CSRF_TRUSTED_ORIGINS]
    return SocketLog(SameOriginWhereSent(AuthMiddlewareStack(LoginEnd(router)), origins))
