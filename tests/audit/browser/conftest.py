"""Chromium as in the flow editor's tests; an auditor at the console of a server of its own, with the demo's past."""

import os
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.chromium import Tab
from tests.live_server import LiveServer, serve

PASSWORD = "correct horse battery staple"
MAKE_AUDITOR = f"""
from django.contrib.auth.models import Group, User
user = User.objects.create_user("aud", password={PASSWORD!r}, is_staff=True)
user.groups.add(Group.objects.get_or_create(name="auditor")[0])
"""
TAMPER = """
from datetime import timedelta
from django.db import connection, transaction
from django.utils import timezone
from conversations import ledger_triggers
from conversations.models import ApiKey, EventPayload
from audit.demo.past import MORTGAGE, Teller
from conversations.services.relationships import Terms
teller = Teller(timezone.now() - timedelta(hours=6), ApiKey.objects.first())
talk = teller.open(Terms(initiator="ing_bank", responder="tampered-copy", humotica="A copy somebody changed"))
for intent, response, words in MORTGAGE[:3]:
    teller.exchange(talk, intent, response, words)
with transaction.atomic():
    ledger_triggers.lift(connection)
    payload = EventPayload.objects.get(event__relationship=talk, event__seq=4)
    EventPayload.objects.filter(pk=payload.pk).update(text=payload.text.replace("asked", "never asked"))
    ledger_triggers.install(connection)
"""
LOOKS = {
    "light": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "light"},
    "dark": {"viewport": {"width": 1280, "height": 900}, "color_scheme": "dark"},
    "telephone": {"viewport": {"width": 390, "height": 844}, "color_scheme": "light"},
}


@pytest.fixture(scope="session", autouse=True)
def database_beside_the_browser() -> Iterator[None]:
    """Playwright keeps an event loop in this thread, within which Django would not let a test make its bundles."""
    before = os.environ.get("DJANGO_ALLOW_ASYNC_UNSAFE")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    yield
    if before is None:
        del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture(scope="session")
def demo() -> Iterator[LiveServer]:
    """A server with two weeks of past, and a conversation somebody changed past the database's own guard."""
    with serve(DEMO="1") as server:
        server.manage("demo")
        server.manage("shell", "-c", MAKE_AUDITOR)
        server.manage("shell", "-c", TAMPER)
        yield server


class Auditor(Tab):
    """The auditor, logged in."""

    def __init__(self, chromium: Browser, demo: LiveServer, **look: object) -> None:
        super().__init__(chromium, **look)
        self.page.goto(f"{demo.url}/admin/login/?next=/admin/console/audit")
        self.page.fill("[name=username]", "aud")
        self.page.fill("[name=password]", PASSWORD)
        self.page.click("[type=submit]")
        self.page.wait_for_url("**/console/audit")
