"""A loop from its alarm to the accuracy figures, by keyboard, and one nobody noticed marked by hand."""

import os
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from tests.chromium import Tab
from tests.live_server import LiveServer

pytestmark = pytest.mark.browser
PASSWORD = "correct horse battery staple"
MAKE_REVIEWER = f"""
from django.contrib.auth.models import Group, User
user, made = User.objects.get_or_create(username="rita", defaults={{"is_staff": True}})
user.set_password({PASSWORD!r})
user.save()
user.groups.add(Group.objects.get_or_create(name="operator")[0])
"""
CELLS = ("tp", "fp", "fn", "tn")


class Agent:
    """An agent that reports its workflow's steps over the API."""

    def __init__(self, server: LiveServer) -> None:
        headers = {"Authorization": f"Bearer {server.key('router')}"}
        self.client = httpx.Client(base_url=f"{server.url}/api/v1", headers=headers, timeout=60)

    def says(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        answer = self.client.post(path, json=body)
        assert answer.is_success, answer.text
        told: dict[str, Any] = answer.json()
        return told

    def works(self, *operations: str) -> tuple[str, str]:
        """A run of these operations: its id and the name of its other side."""
        other = f"job-{uuid4().hex[:8]}"
        run = self.says("/relationships", {"initiator": "planner", "responder": other, "driver": "workflow"})["id"]
        for number, name in enumerate(operations):
            step = {"step_id": str(number), "operation": name, "response": f"did {name}"}
            self.says(f"/relationships/{run}/steps", step)
        return run, other


class Reviewer(Tab):
    """Rita, who may label."""

    def __init__(self, chromium: Browser, server: LiveServer) -> None:
        super().__init__(chromium)
        self.server = server
        self.page.goto(f"{server.url}/admin/login/?next=/admin/console/live")
        self.page.fill("[name=username]", "rita")
        self.page.fill("[name=password]", PASSWORD)
        self.page.click("[type=submit]")
        self.page.wait_for_url("**/console/live")

    def goes(self, path: str) -> None:
        self.page.goto(f"{self.server.url}/admin/console/{path}")

    def confusion(self) -> dict[str, int]:
        """The matrix on the dashboard; nothing labelled is nothing counted."""
        self.goes("accuracy?period=all")
        cells = {name: self.page.locator(f"[data-cell={name}]") for name in CELLS}
        return {name: int(cell.inner_text().split()[0]) if cell.count() else 0 for name, cell in cells.items()}

    def barriers(self, name: str) -> list[str]:
        """What axe finds in our part of the page: wide and narrow, in the light and in the dark."""
        found: list[str] = []
        folder = os.environ.get("LASTWORD_PICTURES")
        for width in (1280, 390):
            self.page.set_viewport_size({"width": width, "height": 900})
            for scheme in ("light", "dark"):
                self.page.emulate_media(color_scheme=scheme)
                for each in Axe().run(self.page, context=".lw").response["violations"]:
                    found += [f"{name} {width} {scheme} {each['id']}: {node['html'][:200]}" for node in each["nodes"]]
                if not self.page.evaluate("document.documentElement.scrollWidth <= innerWidth"):
                    found.append(f"{name} {width}: wider than the screen")
                if folder:
                    self.page.screenshot(path=Path(folder) / f"{name}-{width}-{scheme}.png", full_page=True)
        self.page.set_viewport_size({"width": 1280, "height": 900})
        self.page.emulate_media(color_scheme="light")
        return found


def test_a_loop_is_warned_of_labelled_by_keyboard_and_counted(chromium: Browser, server: LiveServer) -> None:
    server.manage("shell", "-v", "0", "-c", MAKE_REVIEWER)
    rita, agent = Reviewer(chromium, server), Agent(server)
    page = rita.page
    before = rita.confusion()

    # it happens while somebody watches the board
    with page.expect_websocket():
        rita.goes("live")
    run, other = agent.works("list", "list", "list")
    row = page.locator(f'#board tr[data-id="{run}"]')
    expect(row.locator('[data-field="risk"]')).to_contain_text("⚠", timeout=90_000)

    # the queue shows it, its evidence marked; T says it is one
    rita.goes("labelling")
    skipped = 0
    while page.get_by_text(other).count() == 0:
        with page.expect_navigation():
            page.keyboard.press("s")
        skipped += 1
        assert skipped < 60, "the looping run was never drawn"
    assert page.locator(".lw-evidence").count() >= 2
    assert rita.barriers("labelling") == []
    with page.expect_navigation():
        page.keyboard.press("t")
    after = rita.confusion()
    assert after == {**before, "tp": before["tp"] + 1}

    # a loop nobody noticed is marked on its transcript
    missed, _ = agent.works("read", "think", "write")
    rita.goes(f"conversations/{missed}")
    page.get_by_text("Label", exact=True).click()
    page.get_by_role("button", name="A loop").click()
    expect(page.get_by_text("Labelled.")).to_be_visible()
    assert rita.confusion() == {**after, "fn": after["fn"] + 1}
    expect(page.locator("[data-rate=recall]")).to_contain_text("n=")

    # another threshold names what would change, and links to it
    rita.goes("accuracy?period=all&threshold=0.99")
    changed = page.locator("[data-replay] a").first
    expect(changed).to_be_visible()
    assert rita.barriers("accuracy") == []
    with page.expect_download() as saved:
        page.get_by_role("link", name="Every case as CSV").click()
    assert run in saved.value.path().read_text()
    changed.click()
    page.wait_for_url("**/conversations/**")
    rita.leaves()
