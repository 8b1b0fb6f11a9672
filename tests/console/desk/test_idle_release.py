"""A conversation nobody spoke in for too long goes back to the queue by itself, and whoever had it reads so."""

import pytest
from playwright.sync_api import Page, expect

from tests.console.desk.conftest import Visitor, waiting
from tests.seats import Seat

pytestmark = pytest.mark.browser
# the clock of a real server cannot be moved: what it counts from can
LONG_AGO = """
from datetime import timedelta
from django.utils import timezone
from conversations.models import Handoff
assert Handoff.objects.filter(pk="{handoff}").update(last_act_at=timezone.now() - timedelta(minutes=11))
"""

# who writes now is not idle: these words were written long ago
SAYS_NOTHING = "WebSocket.prototype.send = () => {}"


def taken_over(seat: Seat, relationship: str) -> tuple[Page, str]:
    page = seat.opens(f"/conversations/{relationship}")
    page.get_by_role("button", name="Take over").click()
    page.wait_for_url("**/inbox/**")
    return page, page.url.rpartition("/")[2]


def test_a_silent_operator_loses_the_conversation_but_not_what_they_wrote(
    anna: Seat, bert: Seat, visitor: Visitor
) -> None:
    relationship = visitor.opens()
    page, handoff = taken_over(anna, relationship)
    page.evaluate(SAYS_NOTHING)
    page.locator("#reply-text").fill("Half a sentence")
    inbox = bert.opens("/inbox")
    expect(waiting(bert, handoff)).to_contain_text("anna")
    anna.server.manage("shell", "-v", "0", "-c", LONG_AGO.format(handoff=handoff))

    expect(page.locator("[data-not-mine]")).to_contain_text(
        "You were silent for too long, so it went back to the queue."
    )
    expect(page.locator("[data-composer]")).to_have_count(0)
    expect(page.locator(".lw-line").last).to_contain_text("its operator was silent for too long")
    expect(waiting(bert, handoff).get_by_role("button", name="Claim")).to_be_visible()
    inbox.goto(f"{bert.server.url}/admin/console/inbox/{handoff}")
    expect(inbox.locator("[data-not-mine]")).to_have_text("It waits for somebody. Claim it to answer.")

    page.locator("[data-not-mine] + form button").click()
    expect(page.locator("#reply-text")).to_have_value("Half a sentence")


def test_a_reply_that_waits_while_the_conversation_is_lost_comes_back_into_the_box(
    anna: Seat, visitor: Visitor
) -> None:
    relationship = visitor.opens()
    page, _handoff = taken_over(anna, relationship)
    elsewhere = anna.context.new_page()
    elsewhere.goto(page.url)
    page.bring_to_front()
    page.locator("#reply-text").fill("One moment please")
    page.get_by_role("button", name="Send").click()
    elsewhere.get_by_role("button", name="Release to the queue").click()

    expect(page.locator("[data-not-mine]")).to_have_text("It waits for somebody. Claim it to answer.")
    page.locator("[data-not-mine] + form button").click()
    expect(page.locator("#reply-text")).to_have_value("One moment please")
    assert (
        "One moment please"
        not in visitor.http.get(f"/relationships/{relationship}/events", headers=visitor.router).text
    )


def test_what_was_said_just_before_an_act_is_said_before_it(anna: Seat, visitor: Visitor) -> None:
    relationship = visitor.opens()
    page, _handoff = taken_over(anna, relationship)
    page.locator("#reply-text").fill("Goodbye, and thank you")
    page.get_by_role("button", name="Send").click()
    page.get_by_text("Resolve", exact=True).click()
    page.get_by_role("button", name="Resolve and close").click()
    page.wait_for_url(f"**/conversations/{relationship}")
    expect(page.locator(".lw-voice-operator .lw-said")).to_have_text(["Goodbye, and thank you"])
