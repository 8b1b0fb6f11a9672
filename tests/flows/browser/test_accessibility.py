"""Every tab of the editor, judged by axe-core: light at a desk, dark on a telephone."""

import json
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, expect

from tests.flows.api.support import contact_flow
from tests.flows.browser.conftest import Desk, Login
from tests.live_server import LiveServer

pytestmark = pytest.mark.browser
LOOKS = {
    "light desk": {"color_scheme": "light"},
    "dark telephone": {"color_scheme": "dark", "viewport": {"width": 390, "height": 844}},
}
TABS = ["Flow", "Nodes", "Gates", "Facts", "Aliases", "Drawing", "Try it", "Explore", "Versions"]


@pytest.fixture(params=LOOKS)
def desk(request: pytest.FixtureRequest, chromium: Browser, server: LiveServer, logins: Login) -> Iterator[Desk]:
    somebody = Desk(chromium, server, logins["ada"], **LOOKS[request.param])
    yield somebody
    somebody.leaves()


def violations(desk: Desk) -> list[str]:
    """What axe finds within our own part of the page."""
    found = Axe().run(desk.page, context=".lw").response["violations"]
    return [f"{each['id']}: {node['html'][:200]}" for each in found for node in each["nodes"]]


def test_no_tab_has_a_barrier_and_none_is_wider_than_the_screen(desk: Desk) -> None:
    page = desk.page
    assert violations(desk) == []
    desk.makes_flow()
    document = contact_flow()
    document["nodes"][1]["requires"] = ["NOWHERE"]
    page.locator("[data-json]").fill(json.dumps(document))
    expect(page.locator("[data-summary]")).to_contain_text("error")
    page.locator("#panel-nodes .fe-toggle").nth(1).click()
    for tab in TABS:
        desk.tab(tab)
        page.wait_for_load_state("networkidle")
        assert violations(desk) == [], tab
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), tab


def test_a_telephone_has_every_act_of_a_version_within_its_width(
    chromium: Browser, server: LiveServer, logins: Login
) -> None:
    desk = Desk(chromium, server, logins["ada"], **LOOKS["dark telephone"])
    page = desk.page
    new = page.locator("summary", has_text="New flow")
    assert new.bounding_box()["y"] < page.locator("table").bounding_box()["y"]
    desk.makes_flow()
    page.locator("[data-json]").fill(json.dumps(contact_flow()))
    desk.tab("Versions")
    for version in (1, 2):
        page.get_by_role("button", name="Publish", exact=True).click()
        expect(page.locator("[data-notice]")).to_contain_text(f"Version {version} is published")
        # the list is made anew after the notice: what is measured must be the new one
        expect(page.get_by_label(f"Compare version {version} with the draft")).to_be_visible()
    for act in ("Compare version 1 with the draft", "Put version 1 into the draft", "Roll back to version 1"):
        box = page.get_by_label(act).bounding_box()
        assert box["x"] + box["width"] <= 390, act
    desk.leaves()
