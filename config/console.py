"""The console's screens: each app lists its own, this puts the door in front of every one.

A screen is a class-based view that says in `roles` who may use which method, as the API's views do; one that says
nothing lets nobody in.
"""

from collections.abc import Callable
from functools import cache, wraps
from importlib import import_module
from typing import Any

from django.contrib import admin
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path

from config.settings_screens import settings_tabs
from conversations.access import roles_of

# One line an app whose screens are served below /admin/console; its own urls module has the paths.
SCREEN_MODULES = [
    "conversations.views.urls",
    "conversations.views.guards.urls",
    "conversations.views.settings.urls",
    "conversations.views.settings.channel_urls",
    "flows.views.urls",
    "audit.views.home_urls",
    "audit.views.loop_urls",
    "audit.views.metric_urls",
    "audit.views.ledger.urls",
]


def screens() -> list[URLPattern]:
    """Every screen of every app, behind the door."""
    return [path(str(pattern.pattern), behind_the_door(pattern.callback), name=pattern.name) for pattern in patterns()]


def patterns() -> list[URLPattern]:
    return [pattern for module in SCREEN_MODULES for pattern in import_module(module).urlpatterns]


@cache
def views_by_name() -> dict[str, Callable[..., HttpResponseBase]]:
    return {str(pattern.name): pattern.callback for pattern in patterns()}


def behind_the_door(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Asks for a login, then for one of the roles the screen names for this method."""
    roles = getattr(view.view_class, "roles", {})  # type: ignore[attr-defined]

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not request.user.is_authenticated:
            return redirect_to_login(request.get_full_path(), login_url="admin:login")
        method = "GET" if request.method == "HEAD" else str(request.method)
        if not roles_of(request.user) & roles.get(method, frozenset()):
            raise PermissionDenied
        return view(request, *args, **kwargs)

    return guarded


def frame(request: HttpRequest) -> dict[str, Any]:
    """The admin's frame (navigation, theme) around our own screens: a context processor."""
    if not request.path.startswith("/admin/console/") or not request.user.is_authenticated:
        return {}
    roles = roles_of(request.user)
    shown = {**admin.site.each_context(request), "roles": roles}
    if request.path.startswith("/admin/console/settings"):
        shown["settings_tabs"] = settings_tabs(request, roles, views_by_name())
    return shown
