"""A login ends twelve hours after it began, however busy its session was."""

import time
from collections.abc import Callable

from django.conf import settings
from django.contrib.auth import logout
from django.http import HttpRequest
from django.http.response import HttpResponseBase

SIGNED_IN_AT = "signed_in_at"


class SessionAgeMiddleware:
    """Stamps a login when it is first seen; idle time is the session cookie's own business."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        # Without the cookie there is no login, and API clients should not pay for a look.
        if settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated:
            began = request.session.setdefault(SIGNED_IN_AT, int(time.time()))
            if time.time() - began > settings.LASTWORD_SESSION_SECONDS:
                logout(request)
        return self._get_response(request)
