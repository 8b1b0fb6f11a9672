"""A reply that was taken while its answer got lost: the page offers to try again, and it stays one message."""

import pytest
from playwright.sync_api import Route, expect

from tests.console.desk.conftest import Visitor
from tests.seats import Seat

pytestmark = pytest.mark.browser


def taken_but_not_answered(route: Route) -> None:
    route.fetch()
    route.abort()


def test_a_reply_whose_answer_got_lost_is_sent_again_and_said_once(anna: Seat, visitor: Visitor) -> None:
    relationship = visitor.opens()
    page = anna.opens(f"/conversations/{relationship}")
    page.get_by_role("button", name="Take over").click()
    page.wait_for_url("**/inbox/**")
    retry, state = page.locator("[data-retry]"), page.locator("[data-send-state]")

    page.route("**/reply", taken_but_not_answered)
    page.locator("#reply-text").fill("Can you hear me?")
    page.get_by_role("button", name="Send").click()
    expect(state).to_contain_text("Perhaps not sent: “Can you hear me?”")
    # what is written next waits its turn behind it, and both outlive a reload
    page.locator("#reply-text").fill("A second line")
    page.get_by_role("button", name="Send").click()
    expect(page.locator("[data-undo]")).to_be_visible()
    expect(page.locator("[data-undo]")).to_be_hidden()
    expect(retry).to_be_visible()
    page.reload()
    expect(state).to_contain_text("Perhaps not sent: “Can you hear me?”")

    page.unroute("**/reply")
    retry.click()
    expect(state).to_have_text("Sent")
    expect(retry).to_be_hidden()
    expect(page.locator(".lw-voice-operator .lw-said")).to_have_text(["Can you hear me?", "A second line"])
