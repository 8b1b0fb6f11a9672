"""A page that had no answer sends the same reply again, under the same name: one message, one answer."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from conversations.models import Handoff
from conversations.services.handoff import request_handoff
from tests.cast import Actor, Clock
from tests.console.conftest import Talks, events_of

REPLY = {"text": "Hello!", "client_id": "try-1"}


def act(browser: Client, handoff: Handoff, name: str, *, accept: str = "application/json", **told: Any) -> Any:
    return browser.post(reverse(f"console:inbox_{name}", args=[handoff.pk]), told, headers={"Accept": accept})


def claimed_by(browser: Client, handoff: Handoff) -> None:
    handoff.refresh_from_db()
    act(browser, handoff, "claim", version=handoff.version)


@pytest.fixture
def held(talk: Talks, router: Actor, anna: Client) -> Handoff:
    """A conversation anna has."""
    made = request_handoff(
        relationship_id=talk("hello", timebox_hours=0.1).pk, reason="wants a person", caller=router.record
    )
    claimed_by(anna, made)
    return made


@pytest.mark.parametrize("name", ["reply", "note"])
def test_the_same_try_twice_is_one_message_and_one_answer(anna: Client, held: Handoff, name: str) -> None:
    first = act(anna, held, name, **REPLY)
    before = events_of(held.relationship)
    again = act(anna, held, name, **REPLY)
    assert first.json()["ok"]
    assert (again.status_code, again.json()) == (first.status_code, first.json())
    assert events_of(held.relationship) == before


def test_a_form_without_scripts_is_led_to_the_chat_both_times(anna: Client, held: Handoff) -> None:
    leads = [act(anna, held, "reply", accept="text/html", **REPLY)["Location"] for _ in range(2)]
    assert leads == [reverse("console:chat", args=[held.pk])] * 2
    assert events_of(held.relationship).count("operator_replied") == 1


def test_tries_of_other_names_or_without_one_are_messages_of_their_own(anna: Client, held: Handoff) -> None:
    for name in ("try-1", "try-2", "", ""):
        assert act(anna, held, "reply", text="Hello!", client_id=name).json()["ok"]
    assert events_of(held.relationship).count("operator_replied") == 4


@pytest.mark.parametrize(("name", "text"), [("reply", "Other words"), ("note", "Hello!")])
def test_another_message_under_the_same_name_is_refused(anna: Client, held: Handoff, name: str, text: str) -> None:
    act(anna, held, "reply", **REPLY)
    before = events_of(held.relationship)
    refusal = act(anna, held, name, text=text, client_id="try-1")
    assert (refusal.status_code, refusal.json()["code"]) == (409, "idempotency_mismatch")
    assert events_of(held.relationship) == before


def test_what_was_said_counts_as_said_after_the_conversation_went_on(anna: Client, held: Handoff) -> None:
    first = act(anna, held, "reply", **REPLY).json()
    act(anna, held, "release")
    assert act(anna, held, "reply", **REPLY).json() == first
    assert events_of(held.relationship)[-1] == "handoff_released"


def test_who_was_refused_for_not_holding_it_may_try_again_once_they_do(
    anna: Client, bert: Client, held: Handoff
) -> None:
    assert act(bert, held, "reply", **REPLY).json()["code"] == "not_holder"
    act(anna, held, "release")
    claimed_by(bert, held)
    assert act(bert, held, "reply", **REPLY).json()["ok"]


def test_names_of_two_people_never_meet(anna: Client, bert: Client, held: Handoff) -> None:
    for browser in (anna, bert):
        assert act(browser, held, "note", **REPLY).json()["ok"]
    assert events_of(held.relationship).count("operator_noted") == 2


def test_a_reply_that_came_too_late_still_closes_the_conversation(anna: Client, clock: Clock, held: Handoff) -> None:
    clock.advance(minutes=7)
    for _ in range(2):
        assert act(anna, held, "reply", **REPLY).json()["code"] == "conversation_expired"
    assert events_of(held.relationship).count("conversation_closure") == 1
