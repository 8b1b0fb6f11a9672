"""One conversation: what is shown, and what can be done."""

import html

import pytest
from django.test import Client
from django.urls import reverse

from conversations.models import Handoff, Relationship
from conversations.selectors.transcripts import transcript
from flows.services.publishing import rollback
from tests.cast import Actor, accepted
from tests.console.conftest import Talks, events_of

NASTY = ['<script>alert(1)</script><img src=x onerror="alert(2)">', "\u202egnp.exe", "a\u200bb\u200d", "{{ 7|add:1 }}"]


def address(relationship: Relationship) -> str:
    return reverse("console:conversation", args=[relationship.pk])


def page(browser: Client, relationship: Relationship) -> str:
    return browser.get(address(relationship)).content.decode()


def act(browser: Client, relationship: Relationship, name: str, /, **told: str) -> str:
    answer = browser.post(reverse(f"console:conversation_{name}", args=[relationship.pk]), told, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def test_words_are_shown_as_words(viewer: Client, talk: Talks) -> None:
    shown = page(viewer, talk(*NASTY))
    for words in NASTY:
        assert html.escape(words, quote=True) in shown
    assert "<script>alert" not in shown


def test_a_hundred_kilobytes_are_folded_and_whole(viewer: Client, router: Actor, booking: Relationship) -> None:
    text = "x" * 100_000
    accepted(router.post(f"/relationships/{booking.pk}/turns", {"message_id": "m2", "text": text, "facts": {}}))
    shown = page(viewer, booking)
    assert text in shown
    assert "(100000 characters)" in shown


def test_the_panel_says_why(viewer: Client, booking: Relationship) -> None:
    shown = page(viewer, booking)
    assert "waiting for its answer" in shown
    assert "waits for gates" in shown
    assert "10 km" in shown
    assert "“10 km”" in shown


def test_news_begin_after_the_last_line_a_page_has(viewer: Client, talk: Talks) -> None:
    relationship = talk("one", "two")
    news = reverse("console:conversation_news", args=[relationship.pk])
    assert [line.seq for line in viewer.get(news, {"after_seq": "3"}).context["lines"]] == [4, 5]
    assert viewer.get(news, {"after_seq": "99"}).context["lines"] == []


def test_take_over_leads_to_the_chat_and_hands_the_conversation_over(anna: Client, talk: Talks) -> None:
    relationship = talk("hello")
    shown = act(anna, relationship, "takeover")
    relationship.refresh_from_db()
    assert (relationship.owner_kind, relationship.owner_operator) == ("operator", "anna")
    assert "You have this conversation now" in shown
    assert events_of(relationship)[-2:] == ["handoff_requested", "handoff_claimed"]


def test_asking_for_a_human_puts_it_into_the_queue(anna: Client, talk: Talks) -> None:
    relationship = talk("hello")
    act(anna, relationship, "handoff", reason="Needs a human")
    assert Handoff.objects.get().reason == "Needs a human"


def test_closing_and_following_up(anna: Client, talk: Talks) -> None:
    relationship = talk("hello")
    act(anna, relationship, "close", closure_type="completed", summary="Agreed")
    relationship.refresh_from_db()
    assert relationship.closure_event["operator_summary"] == "Agreed"
    act(anna, relationship, "followup")
    followup = Relationship.objects.get(continuation_of=relationship)
    assert "[FIR/A-2]" in page(anna, followup)


@pytest.mark.parametrize("told", [{}, {"closure_type": "nonsense"}])
def test_a_close_that_says_nothing_changes_nothing(anna: Client, talk: Talks, told: dict[str, str]) -> None:
    relationship = talk("hello")
    before = events_of(relationship)
    assert "Choose how it ends" in act(anna, relationship, "close", **told)
    assert events_of(relationship) == before


def test_a_refusal_is_told_in_its_own_words(anna: Client, talk: Talks) -> None:
    relationship = talk("hello")
    assert "Close this conversation before you follow it up" in act(anna, relationship, "followup")


def test_a_fact_set_by_hand_opens_its_gate_and_an_empty_value_takes_it_away(
    anna: Client, booking: Relationship
) -> None:
    assert "Gates opened: CONTACT" in act(anna, booking, "facts", name="contact_email", value="jo@example.com")
    assert "jo@example.com" in page(anna, booking)
    assert "Gates lost: CONTACT" in act(anna, booking, "facts", name="contact_email", value="")
    assert events_of(booking)[-2:] == ["facts_changed", "facts_changed"]


def test_a_node_is_skipped_for_good_and_another_gets_more_tries(
    anna: Client, booking: Relationship, router: Actor
) -> None:
    """The open question is skipped: the visitor's next line leads to another node."""
    asked = booking.flow_run.node_id
    assert f"{asked} is skipped from now on" in act(anna, booking, "steer", node=asked, what="skip")
    turn = {"message_id": "m9", "text": "well", "facts": {}}
    decided = accepted(router.post(f"/relationships/{booking.pk}/turns", turn))["decisions"]
    assert decided
    assert asked not in {decision["nodeId"] for decision in decided}
    assert "may try again" in act(anna, booking, "steer", node="contact-1", what="grant", tries="2")
    booking.flow_run.refresh_from_db()
    assert booking.flow_run.state["grants"]["contact-1"] >= 3


@pytest.mark.parametrize(
    ("told", "refusal"),
    [
        ({"node": "nobody", "what": "skip"}, "nobody"),
        ({"node": "contact-1", "what": "grant", "tries": "0"}, "between 1 and 20"),
        ({"node": "contact-1", "what": "grant", "tries": "21"}, "between 1 and 20"),
    ],
)
def test_steering_that_makes_no_sense_changes_nothing(
    anna: Client, booking: Relationship, told: dict[str, str], refusal: str
) -> None:
    before = events_of(booking)
    assert refusal in act(anna, booking, "steer", **told)
    assert events_of(booking) == before


def test_a_fact_leads_to_the_line_it_was_read_from(viewer: Client, booking: Relationship) -> None:
    shown = page(viewer, booking)
    line = next(fact["line"] for fact in viewer.get(address(booking)).context["flow"].facts)
    assert f'href="#line-{line}-visitor"' in shown
    assert f'id="line-{line}-visitor"' in shown


def test_a_migration_is_shown_before_it_is_made(anna: Client, booking: Relationship, booking_flow: str) -> None:
    rollback(slug=booking_flow, version=1, author="ed")
    before = events_of(booking)
    shown = act(anna, booking, "migrate", version="2")
    assert "From version 1 to version 2" in shown
    assert "Nothing has been changed yet" in shown
    assert events_of(booking) == before
    act(anna, booking, "migrate", version="2", confirm="1")
    booking.refresh_from_db()
    assert (booking.flow_version, events_of(booking)[-1]) == (2, "flow_migrated")


def test_an_unknown_version_changes_nothing(anna: Client, booking: Relationship) -> None:
    assert "has no version 9" in html.unescape(act(anna, booking, "migrate", version="9", confirm="1"))


def test_what_is_said_while_a_page_is_made_is_left_to_the_news(talk: Talks, initiator: Actor) -> None:
    """The page says up to where it read; a line beyond that would come again."""
    read = talk("one")
    accepted(initiator.post(f"/relationships/{read.pk}/intents", {"intent": "offer", "humotica": "two"}), 201)
    shown = transcript(read, after_seq=0)
    assert max(line.seq for line in shown) == read.head_seq
    read.refresh_from_db()
    assert [line.text for line in transcript(read, after_seq=read.head_seq - 1)] == ["two"]
