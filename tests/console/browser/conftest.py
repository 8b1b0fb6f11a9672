"""People at the console of a real server that asks for the second step, each at a browser of their own."""

import re
import time
from base64 import b32decode
from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django_otp.oath import TOTP
from playwright.sync_api import Browser, expect

from tests.chromium import PATIENCE, Tab
from tests.live_server import LiveServer, serve

expect.set_options(timeout=PATIENCE)
PASSWORD = "correct horse battery staple"
MAKE_ADMINISTRATOR = """
from django.contrib.auth import get_user_model
get_user_model().objects.create_superuser({name!r}, password={password!r})
"""


@pytest.fixture(scope="module")
def strict_server() -> Iterator[LiveServer]:
    with serve(LASTWORD_TWO_FACTOR="1") as running:
        running.manage("shell", "-v", "0", "-c", MAKE_ADMINISTRATOR.format(name="boss", password=PASSWORD))
        yield running


@pytest.fixture(scope="module")
def open_server() -> Iterator[LiveServer]:
    """One that asks for a password alone, and may call servers on this machine."""
    with serve(LASTWORD_ALLOW_PRIVATE_URLS="1") as running:
        running.manage("shell", "-v", "0", "-c", MAKE_ADMINISTRATOR.format(name="boss", password=PASSWORD))
        yield running


@pytest.fixture
def boss(chromium: Browser, open_server: LiveServer) -> Iterator["Desk"]:
    """An administrator, logged in."""
    desk = Desk(chromium, open_server, "boss")
    desk.types_password()
    desk.page.wait_for_url("**/admin/console/")
    yield desk
    desk.leaves()


class Desk(Tab):
    """Somebody with a password and an authenticator app."""

    def __init__(self, chromium: Browser, server: LiveServer, name: str, **look: Any) -> None:
        super().__init__(chromium, **look)
        self.server, self.name = server, name
        self.secret = b""
        self.step = 0
        self.recovery_codes: list[str] = []

    def goes(self, path: str) -> None:
        self.page.goto(f"{self.server.url}/admin/console/{path}")

    def types_password(self) -> None:
        self.page.goto(f"{self.server.url}/admin/login/?next=/admin/console/")
        self.page.fill("[name=username]", self.name)
        self.page.fill("[name=password]", PASSWORD)
        self.page.click("[type=submit]")

    def code(self) -> str:
        """A code not used before: the app's next one as soon as the door takes it, a step ahead of its clock."""
        while True:
            app = TOTP(self.secret)
            if app.t() + 1 > self.step:
                self.step = max(app.t(), self.step + 1)
                app.time = self.step * app.step
                return f"{app.token():06d}"
            time.sleep(1)

    def sets_it_up(self) -> None:
        self.begins()
        self.finishes()

    def begins(self) -> None:
        self.page.wait_for_url("**/two-factor/enrol**")
        self.page.get_by_role("button", name="Set it up").click()
        self.page.wait_for_selector("[data-secret]")

    def finishes(self) -> None:
        letters = re.sub(r"\s", "", self.page.locator("[data-secret]").inner_text())
        self.secret = b32decode(letters)
        self.page.fill("[name=code]", self.code())
        self.page.get_by_role("button", name="Turn it on").click()
        self.page.wait_for_selector("[data-once]")
        self.recovery_codes = self.page.locator("[data-once] code").all_inner_texts()

    def types_code(self, code: str) -> None:
        self.page.wait_for_url("**/two-factor/code**")
        self.page.fill("[name=code]", code)
        self.page.get_by_role("button", name="Go on").click()

    def logs_out(self) -> None:
        """Leaves the page first: an answer still under way would bring the session's cookie back."""
        self.page.goto("about:blank")
        self.context.clear_cookies()

    def barriers(self) -> list[str]:
        """What axe finds within our own part of the page, and whether it is wider than the screen."""
        found = Axe().run(self.page, context=".lw").response["violations"]
        wide = not self.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        told = [f"{each['id']}: {node['html'][:200]}" for each in found for node in each["nodes"]]
        return told + (["wider than the screen"] if wide else [])
