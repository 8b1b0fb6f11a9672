"""Between the password and the first page: who must show a code is led to where it is asked for."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode

from conversations.access import SecondStep
from conversations.selectors.two_factor import step_for

# Open to a login that still owes its code, by name of the address; a view can also say so itself.
OPEN = frozenset({"admin:login", "admin:logout", "welcome", "set_language", "words", "healthz", "readyz"})
PAGES = {SecondStep.CODE: "console:two_factor_code", SecondStep.ENROL: "console:two_factor_enrol"}


class SecondStepMiddleware:
    """Stands before every page alike: ours, the admin's, and any that comes later. The API has keys instead."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self._get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponseBase | None:
        if settings.SESSION_COOKIE_NAME not in request.COOKIES or request.path.startswith("/api/"):
            return None
        if is_open(request, view) or not request.user.is_authenticated or request.user.is_verified():
            return None
        step = step_for(request.user)
        if step is None:
            return None
        if request.method != "GET" or request.get_preferred_type(["text/html", "application/json"]) != "text/html":
            raise PermissionDenied
        return redirect(f"{reverse(PAGES[step])}?{urlencode({'next': request.get_full_path()})}")


def is_open(request: HttpRequest, view: Any) -> bool:
    match = request.resolver_match
    named = match is not None and match.view_name in OPEN
    return named or bool(getattr(getattr(view, "view_class", None), "before_second_step", False))
