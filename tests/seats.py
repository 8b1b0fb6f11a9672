"""Seats at a real server for people who are logged in already, and how a page of theirs is judged."""

import json
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from playwright.sync_api import Browser, Page

from config.console import patterns
from tests.chromium import Tab
from tests.live_server import LiveServer

# Pieces of pages, which their pages fetch.
FRAGMENTS = {"home_now", "live_rows", "inbox_queue", "flows-in-use", "flow-figures", "audit_verification_news"}
# One command for everybody: starting Django costs more than what it does here.
SIGN_IN = """
import json
from importlib import import_module
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.auth.models import Group, User
from django.utils import timezone
sessions = {{}}
for name, roles in {people!r}.items():
    user, made = User.objects.get_or_create(username=name, defaults={{"is_staff": True}})
    user.groups.set([Group.objects.get_or_create(name=role)[0] for role in roles])
    store = import_module(settings.SESSION_ENGINE).SessionStore()
    store[SESSION_KEY] = str(user.pk)
    store[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    store[HASH_SESSION_KEY] = user.get_session_auth_hash()
    store.save()
    sessions[name] = store.session_key
print(json.dumps(sessions))
"""


def sign_in(server: LiveServer, people: dict[str, list[str]]) -> dict[str, str]:
    """A session for each name, with its roles."""
    told = server.manage("shell", "-v", "0", "-c", SIGN_IN.format(people=people))
    sessions: dict[str, str] = json.loads(told.splitlines()[-1])
    return sessions


class Seat(Tab):
    """Somebody at a browser of their own, logged in already."""

    def __init__(self, chromium: Browser, server: LiveServer, session: str, **look: Any) -> None:
        super().__init__(chromium, **look)
        self.server = server
        self.context.add_cookies([{"name": "sessionid", "value": session, "url": server.url}])
        self.expects_no_dialog()

    def opens(self, path: str) -> Page:
        self.page.goto(f"{self.server.url}/admin/console{path}")
        return self.page


def plain_screens() -> dict[str, str]:
    """By name, the addresses of all screens that need no subject: a new one is there without being listed."""
    shown = [pattern for pattern in patterns() if "GET" in pattern.callback.view_class.roles]
    names = sorted(str(pattern.name) for pattern in shown if not pattern.pattern.converters)
    return {name: reverse(f"console:{name}") for name in names if name not in FRAGMENTS}


def barriers(page: Page) -> list[str]:
    """What axe-core finds within our own part of the page."""
    found = Axe().run(page, context=".lw").response["violations"]
    return [f"{each['id']}: {node['html'][:200]}" for each in found for node in each["nodes"]]


def fits(page: Page) -> bool:
    """Whether nothing is wider than the screen."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
