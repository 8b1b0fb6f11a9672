"""Watching: a thousand conversations, a lost socket, a restarted server, and words that mean harm."""

import pytest
from playwright.sync_api import Page, expect

from tests.console.desk.conftest import Visitor
from tests.seats import Seat, fits

pytestmark = pytest.mark.browser
THOUSAND = """
from decimal import Decimal
from django.db import transaction
from conversations.services.relationships import Terms, create_relationship
with transaction.atomic():
    for number in range(1000):
        terms = Terms(initiator="crowd", responder=f"member-{number:04d}", timebox_hours=Decimal(100 + number))
        create_relationship(terms=terms, actor="system")
"""
KEEP_SOCKETS = """
window.opened = [];
window.WebSocket = class extends WebSocket { constructor(...told) { super(...told); window.opened.push(this); } };
"""
NASTY = [
    '<script>alert(1)</script><img src=x onerror="alert(2)"><b id="injected">bold</b>',
    "\u202egnp.exe \u2066right to left\u2069 שלום مرحبا",
    "zero\u200bwidth\u200djoined\ufeff",
    "{{ 7|add:1 }} {% now 'Y' %}",
    "W" * 100_000,
]


def said(page: Page) -> list[str]:
    """What the visitor said, line by line, folded or not."""
    return page.locator(".lw-voice-visitor .lw-said").all_text_contents()


def lines_arrive(page: Page, texts: list[str]) -> None:
    expect(page.locator(".lw-voice-visitor .lw-said")).to_have_text(texts)


def test_a_thousand_conversations_stay_at_hand(anna: Seat, visitor: Visitor) -> None:
    anna.server.manage("shell", "-v", "0", "-c", THOUSAND)
    page = anna.opens("/live?q=crowd")
    expect(page.locator("[data-count]")).to_contain_text("1000 active conversations")
    assert page.locator(".lw-board tbody tr").count() == 50
    expect(page.get_by_text("Page 1 of 20")).to_be_visible()
    page.locator("[data-save-view] [name=name]").fill("Crowd")
    page.get_by_role("button", name="Save this view").click()

    # search is the address; what changes, changes in place
    page.locator("[data-search]").fill("member-0007")
    page.locator("[data-search]").press("Enter")
    expect(page.locator(".lw-board tbody tr")).to_have_count(1)
    assert "q=member-0007" in page.url
    member = page.locator(".lw-board tbody tr").get_attribute("data-id")
    for _ in range(4):
        visitor.post(f"/relationships/{member}/intents", sender="crowd", intent="offer", humotica="An offer")
    expect(page.locator("[data-field=depth]")).to_have_text("4/5")
    expect(page.locator(".lw-depth")).to_have_class("lw-depth lw-warn")
    expect(page.locator("[data-field=last_line]")).to_have_text("An offer")
    page.get_by_role("link", name="Crowd", exact=True).click()
    expect(page.locator(".lw-board tbody tr")).to_have_count(50)

    page.wait_for_load_state()  # a key or a box is nothing before the scripts are there
    # keys: down twice, open; back; choose two, label them, close them
    page.locator("body").press("j")
    page.locator("body").press("j")
    page.locator("body").press("Enter")
    page.wait_for_url("**/conversations/**")
    page.go_back()
    boxes = page.locator("input[name=chosen]")
    boxes.nth(0).check()
    boxes.nth(1).check()
    expect(page.locator("[data-chosen]")).to_have_text("2 chosen")
    page.get_by_role("button", name="They do not loop").click()
    expect(page.get_by_text("2 conversations labelled.")).to_be_visible()
    page.wait_for_load_state()
    page.locator("[data-choose-all]").check()
    expect(page.locator("[data-chosen]")).to_have_text("50 chosen")
    page.get_by_role("button", name="Close them").click()
    expect(page.get_by_text("50 conversations closed.")).to_be_visible()
    expect(page.locator("[data-count]")).to_contain_text("950 active conversations")
    page.wait_for_load_state()
    page.locator("body").press("?")
    expect(page.get_by_role("dialog")).to_contain_text("Keyboard shortcuts")


def test_a_lost_socket_and_a_restarted_server_leave_no_gap(anna: Seat, visitor: Visitor) -> None:
    relationship = visitor.opens()
    anna.context.add_init_script(KEEP_SOCKETS)
    page = anna.opens(f"/conversations/{relationship}")
    page.evaluate("window.untouched = true")
    visitor.answers(relationship, "one")
    lines_arrive(page, ["one"])

    anna.context.set_offline(True)
    page.evaluate("window.opened.forEach((socket) => socket.close())")
    expect(page.locator("[data-connection]")).to_contain_text("Reconnecting")
    for text in ("two", "three", "four"):
        visitor.answers(relationship, text)
    anna.context.set_offline(False)
    lines_arrive(page, ["one", "two", "three", "four"])
    expect(page.locator("[data-connection]")).to_be_hidden()

    anna.server.stop()
    expect(page.locator("[data-connection]")).to_be_visible()
    anna.server.start()
    visitor.answers(relationship, "five")
    lines_arrive(page, ["one", "two", "three", "four", "five"])
    expect(page.locator("[data-connection]")).to_be_hidden()
    assert page.evaluate("window.untouched"), "the page was never loaded again"


def test_words_are_words_wherever_they_are_shown(anna: Seat, visitor: Visitor) -> None:
    relationship = visitor.opens(initiator="gym", driver="flow", flow="fitness", humotica=NASTY[0])
    page = anna.opens(f"/conversations/{relationship}")
    for text in NASTY:
        visitor.says(relationship, text, facts={})
    expect(page.locator(".lw-voice-visitor .lw-said")).to_have_count(len(NASTY))
    assert said(page)[:-1] == NASTY[:-1]
    assert NASTY[-1] in said(page)[-1]
    handoff = visitor.asks_for_a_person(relationship, NASTY[0])
    for path in (f"/conversations/{relationship}", f"/inbox/{handoff}", "/live", "/", "/inbox"):
        for width in (1280, 390):
            page.set_viewport_size({"width": width, "height": 844})
            anna.opens(path)
            assert page.locator("#injected, img[src=x]").count() == 0, path
            assert fits(page), (path, width)
