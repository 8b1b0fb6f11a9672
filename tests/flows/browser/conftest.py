"""Chromium at the console of a real server; every error of a page fails its test."""

from collections.abc import Iterator
from uuid import uuid4

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, StorageState, expect

from tests.live_server import LiveServer

PASSWORD = "correct horse battery staple"
NAMES = ("ada", "grace")
MAKE_PEOPLE = """
from django.contrib.auth.models import Group, User
group = Group.objects.get_or_create(name="editor")[0]
for name in {names!r}:
    User.objects.create_user(name, password={password!r}, is_staff=True).groups.add(group)
"""
# A busy machine is slow, not wrong: nothing here fails by the clock before it is hopeless.
PATIENCE_MS = 90_000
expect.set_options(timeout=PATIENCE_MS)

Login = dict[str, StorageState]


@pytest.fixture(scope="session")
def logins(server_process: LiveServer, chromium: Browser) -> Login:
    """Two people who may edit flows, each logged in once for the whole session."""
    server_process.manage("shell", "-c", MAKE_PEOPLE.format(names=NAMES, password=PASSWORD))
    return {name: logged_in(chromium, server_process, name) for name in NAMES}


def logged_in(chromium: Browser, server: LiveServer, name: str) -> StorageState:
    context = chromium.new_context()
    page = context.new_page()
    page.set_default_timeout(PATIENCE_MS)
    page.goto(f"{server.url}/admin/login/?next=/admin/console/flows")
    page.fill("[name=username]", name)
    page.fill("[name=password]", PASSWORD)
    page.click("[type=submit]")
    page.wait_for_url("**/console/flows")
    state = context.storage_state()
    context.close()
    return state


class Desk:
    """Somebody at a browser of their own, at the list of flows."""

    def __init__(self, chromium: Browser, server: LiveServer, login: StorageState, **look: object) -> None:
        self.server = server
        looks = {"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce", **look}
        self.context = chromium.new_context(storage_state=login, **looks)
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE_MS)
        self.failures: list[str] = []
        self.page.on("pageerror", lambda error: self.failures.append(str(error)))
        self.page.on("console", self.heard)
        self.page.goto(f"{server.url}/admin/console/flows")

    def heard(self, said: ConsoleMessage) -> None:
        if "Content Security" in said.text:
            self.failures.append(said.text)

    def starts_flow(self) -> None:
        """Opens the form for a new flow; it is open already where there is no flow yet."""
        if not self.page.locator("[name=name]").is_visible():
            self.page.locator("summary", has_text="New flow").click()

    def makes_flow(self, name: str = "Booking") -> str:
        """A new flow by the list's form; its slug."""
        slug = f"flow-{uuid4().hex[:8]}"
        self.starts_flow()
        self.page.fill("[name=name]", name)
        self.page.fill("[name=slug]", slug)
        self.page.click("text=Make the flow")
        self.page.wait_for_url(f"**/flows/{slug}**")
        return slug

    def opens(self, slug: str, tab: str = "nodes") -> None:
        self.page.goto(f"{self.server.url}/admin/console/flows/{slug}#{tab}")
        self.page.wait_for_selector("[data-summary] .lw-badge:not(:text('checking'))")

    def tab(self, name: str) -> None:
        self.page.get_by_role("tab", name=name).click()

    def leaves(self) -> None:
        self.context.close()
        assert not self.failures, self.failures


@pytest.fixture
def ada(chromium: Browser, server: LiveServer, logins: Login) -> Iterator[Desk]:
    desk = Desk(chromium, server, logins["ada"])
    yield desk
    desk.leaves()


@pytest.fixture
def grace(chromium: Browser, server: LiveServer, logins: Login) -> Iterator[Desk]:
    desk = Desk(chromium, server, logins["grace"])
    yield desk
    desk.leaves()
