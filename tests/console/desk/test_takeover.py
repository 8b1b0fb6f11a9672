"""Two operators and a visitor at once: claim, chat, hand on, give back."""

import re

import pytest
from playwright.sync_api import expect

from tests.console.desk.conftest import Visitor, heard, waiting
from tests.seats import Seat

pytestmark = pytest.mark.browser
CLICK_TOGETHER = "selector => setTimeout(() => document.querySelector(selector).click(), 1500)"


def test_two_claim_at_once_and_the_winner_talks_with_the_visitor(anna: Seat, bert: Seat, visitor: Visitor) -> None:
    relationship = visitor.opens(humotica="Question on a mortgage")
    seats = {"anna": anna, "bert": bert}
    for seat in seats.values():
        seat.opens("/inbox")
    handoff = visitor.asks_for_a_person(relationship, "She wants a person")
    for seat in seats.values():
        expect(waiting(seat, handoff)).to_contain_text("She wants a person")
        expect(seat.page).to_have_title(re.compile(r"\(\d+\) Inbox · Lastword"))
    for seat in seats.values():
        seat.page.evaluate(CLICK_TOGETHER, f'[data-handoff="{handoff}"] [data-claim] button')
    for seat in seats.values():
        seat.page.wait_for_url(f"**/inbox/{handoff}")
    [winner] = [name for name, seat in seats.items() if seat.page.locator("[data-composer]").count()]
    [loser] = seats.keys() - {winner}
    first, second = seats[winner].page, seats[loser].page
    expect(second.get_by_text(f"{winner} has it.")).to_be_visible()
    expect(second.locator("[data-not-mine]")).to_contain_text(f"{winner} has this conversation; you read along.")

    with visitor.listens(relationship) as socket:
        # typing, both ways
        socket.send('{"type": "typing"}')
        expect(first.locator("[data-presence]")).to_contain_text("jo is writing…")
        reply = first.locator("#reply-text")
        reply.press_sequentially("/he")
        expect(first.locator("[data-canned] li")).to_have_count(1)
        assert heard(socket, about='"writing":["operator"')
        reply.press("Enter")
        expect(reply).to_have_value("Good day, how can I help?")
        # sent, taken back, sent again
        first.get_by_role("button", name="Send").click()
        expect(first.locator("[data-send-state]")).to_contain_text("Sending in")
        first.get_by_role("button", name="Undo").click()
        expect(reply).to_have_value("Good day, how can I help?")
        reply.fill("Hello, I am a person.")
        reply.press("Control+Enter")
        assert heard(socket, about="Hello, I am a person.")["event"]["type"] == "operator_replied"
    for page in (first, second):
        expect(page.locator(".lw-voice-operator .lw-said")).to_have_text(["Hello, I am a person."])
    visitor.answers(relationship, "What if I move?")
    expect(second.locator(".lw-voice-visitor .lw-said")).to_have_text(["What if I move?"])
    # a note stays among colleagues
    reply.fill("She has moved before")
    first.get_by_role("button", name="Private note").click()
    expect(second.locator(".lw-voice-note .lw-said")).to_have_text(["She has moved before"])
    seen = visitor.http.get(f"/relationships/{relationship}/events", headers=visitor.own).text
    assert "Hello, I am a person." in seen
    assert "She has moved before" not in seen

    # offered, taken, resolved
    first.get_by_text("Transfer", exact=True).click()
    first.locator("[name=to]").select_option(loser)
    first.get_by_role("button", name="Offer").click()
    second.get_by_role("button", name="Accept").click()
    expect(second.locator("[data-composer]")).to_be_visible()
    expect(first.locator("[data-not-mine]")).to_contain_text(f"{loser} has this conversation")
    second.get_by_text("Resolve", exact=True).click()
    second.locator("[name=summary]").fill("All clear")
    second.get_by_role("button", name="Resolve and close").click()
    expect(second.get_by_text("closed: completed")).to_be_visible()
    expect(second.locator(".lw-line").last).to_contain_text("All clear")


def test_a_flow_is_steered_taken_over_and_given_back_only_when_it_can_go_on(anna: Seat, visitor: Visitor) -> None:
    relationship = visitor.opens(initiator="gym", driver="flow", flow="fitness")
    visitor.says(relationship, "")
    page = anna.opens(f"/conversations/{relationship}")
    expect(page.locator("[data-why]")).to_contain_text("chosen: waiting for its answer")
    visitor.says(relationship, "I want to run 10 km, now 3 km")
    # the page goes on by itself: the line, the fact with its source, the gate
    facts = page.locator("section", has=page.locator("#facts-title"))
    expect(facts).to_contain_text("10 km")
    expect(page.locator(".lw-gate", has_text="GOAL_GAP")).to_contain_text("open")
    facts.get_by_role("link", name="line").first.click()
    expect(page.locator(".lw-line:target")).to_contain_text("I want to run 10 km")
    page.get_by_text("Set a fact", exact=True).click()
    page.locator("[name=name]").fill("contact_email")
    page.locator("[name=value]").fill("jo@example.com")
    page.get_by_role("button", name="Set", exact=True).click()
    expect(page.get_by_text("Gates opened: CONTACT.")).to_be_visible()
    page.get_by_text("Steer a node").click()
    page.locator("[name=node]").select_option("category-1")
    page.get_by_role("button", name="Skip it for good").click()
    expect(page.locator(".lw-nodes > li", has_text="category-1")).to_contain_text("skipped by an operator")

    page.get_by_role("button", name="Take over").click()
    page.wait_for_url("**/inbox/**")
    expect(page.locator(".lw-line").last).to_contain_text("from the bot, unasked")
    page.get_by_text("Return to the bot", exact=True).click()
    for skip in page.locator("[name=skip]").all():
        skip.check()
    page.get_by_role("button", name="Return", exact=True).click()
    expect(page.get_by_text("Nobody would answer after this. No node can run.").first).to_be_visible()
    expect(page.locator("[data-composer]")).to_be_visible()
    page.get_by_text("Return to the bot", exact=True).click()
    page.locator("[name=note]").fill("She has a card")
    page.get_by_role("button", name="Return", exact=True).click()
    page.wait_for_url(f"**/conversations/{relationship}")
    expect(page.locator("[data-why]")).to_contain_text("chosen: waiting for its answer")

    page.get_by_text("Label", exact=True).click()
    page.get_by_role("button", name="No loop").click()
    expect(page.get_by_text("The accuracy figures count it")).to_be_visible()
    page.get_by_text("Close", exact=True).first.click()
    page.get_by_role("button", name="Close the conversation").click()
    expect(page.locator("[data-why]")).to_contain_text("closed")
    page.get_by_role("button", name="Follow up").click()
    expect(page.locator(".lw-lineage")).to_contain_text("[FIR/A-1] closed")
