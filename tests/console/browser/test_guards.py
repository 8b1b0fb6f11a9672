"""An editor changes a number: refused where it makes no sense, tried on what really happened, then put into force."""

import re

import httpx
import pytest
from playwright.sync_api import expect

from tests.console.browser.conftest import Desk
from tests.console.browser.looks import assert_usable_by_everybody
from tests.live_server import LiveServer

pytestmark = pytest.mark.browser
CONVERSATION = re.compile(r"/admin/console/conversations/[0-9a-f-]{36}#line-\d+-system$")


def personas_were_talked_to(open_server: LiveServer) -> None:
    """One message that is answered and one that comes too soon after it."""
    with httpx.Client(
        base_url=f"{open_server.url}/api/v1", headers={"Authorization": f"Bearer {open_server.key('router')}"}
    ) as router:
        router.post("/personas", json={"handle": "ada"}).raise_for_status()
        for event_id in ("e1", "e2"):
            body = {"event_id": event_id, "sender": "visitor", "text": "hello"}
            router.post("/threads/the-room/events", json=body).raise_for_status()


def test_a_policy_is_tried_before_it_is_saved(boss: Desk, open_server: LiveServer) -> None:
    personas_were_talked_to(open_server)
    page = boss.page
    boss.goes("guards")
    assert_usable_by_everybody(page)

    grace = page.get_by_label("Grace period, seconds")
    expect(grace).to_have_value("4")
    grace.fill("-1")
    expect(page.get_by_text("within -1 seconds of another")).to_be_visible()
    page.get_by_role("button", name="Put into force").click()
    expect(page.locator("[id='threads.grace_seconds-error']")).to_have_text("Must be from 0 to 315360000.")
    expect(grace).to_have_attribute("aria-invalid", "true")
    assert_usable_by_everybody(page)

    grace.fill("0")
    page.get_by_role("button", name="Backtest").click()
    report = page.locator("[data-backtest]")
    expect(report).to_contain_text("Of 2 recorded decisions 1 would have been different.")
    expect(report.get_by_role("link", name="the-room")).to_have_attribute("href", CONVERSATION)
    assert_usable_by_everybody(page)
    expect(grace).to_have_value("0")

    page.get_by_label("Why (kept in the history)").fill("nobody minds")
    page.get_by_role("button", name="Put into force").click()
    version = page.locator("[data-version='1']")
    expect(version).to_contain_text("boss")
    expect(version).to_contain_text("nobody minds")
    expect(version).to_contain_text("Grace period, seconds: 4 → 0")
    assert_usable_by_everybody(page)

    page.get_by_role("link", name="Activity").click()
    expect(page.locator("[data-guard='grace_period'] td").nth(1)).to_have_text("1")
    assert_usable_by_everybody(page)
    page.get_by_role("link", name="the-room").first.click()
    expect(page.locator(".lw-line").first).to_be_visible()

    boss.goes("guards/rollout")
    feature = page.locator("[data-feature='loop_hand_off']")
    feature.get_by_label("Share, per cent").fill("20")
    feature.get_by_role("button", name="Roll out").click()
    expect(feature).to_contain_text("20 % of conversations")
    feature.get_by_role("button", name="Take it back").click()
    expect(feature).to_contain_text("off")
    assert_usable_by_everybody(page)
