"""The screens of Settings, in the order of their tabs: each app serves its own, this says which there are."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class SettingsScreen:
    """One tab: what it is called, where it leads (the name of an address of the console), what one finds there."""

    title: str | Promise
    name: str
    about: str | Promise


SETTINGS_SCREENS = [
    SettingsScreen(
        _("Participants"), "settings_participants", _("Everybody who ever spoke, and in how many conversations.")
    ),
    SettingsScreen(_("Personas"), "settings_personas", _("The voices of ours that answer in threads.")),
    SettingsScreen(_("Channels"), "settings_channels", _("Chatwoot inboxes and Slack workspaces, each with a test.")),
    SettingsScreen(
        _("Deliveries"), "settings_deliveries", _("Every webhook that came in, what was made of it, and why.")
    ),
    SettingsScreen(
        _("Webhook subscriptions"), "settings_subscriptions", _("Who is told of events, and how each telling went.")
    ),
    SettingsScreen(_("Canned replies"), "settings_canned", _("Texts that operators call up with a slash.")),
    SettingsScreen(_("API keys"), "settings_keys", _("What other systems log in with; shown once, revoked at once.")),
    SettingsScreen(_("Users and roles"), "settings_people", _("Who can log in, and what they may do.")),
    SettingsScreen(_("Two-factor login"), "settings_two_factor", _("Your own second step after the password.")),
]


def settings_tabs(
    request: HttpRequest, roles: frozenset[str], views: dict[str, Callable[..., HttpResponseBase]]
) -> list[dict[str, Any]]:
    """The tabs this person may open; `here` marks the one being looked at, its pages included."""
    tabs = []
    for screen in SETTINGS_SCREENS:
        allowed = views[screen.name].view_class.roles["GET"]  # type: ignore[attr-defined]
        link = reverse(f"console:{screen.name}")
        here = request.path == link or request.path.startswith(f"{link}/")
        if roles & allowed:
            tabs.append({"title": screen.title, "about": screen.about, "link": link, "here": here})
    return tabs
