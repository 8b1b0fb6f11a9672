"""The seed's seven acceptance checks and the eighth, as a caller of the API sees them."""

from typing import Any

import pytest

from tests.cast import Actor, Clock, accepted
from tests.conversations.assistant.world import NOTHING_PENDING, SHOES, Visitor, card_ids, fired, route, state

pytestmark = pytest.mark.django_db


def test_1_a_third_unresolved_turn_is_handed_off_for_low_confidence(visitor: Visitor, router: Actor) -> None:
    assert [state(visitor.say("hmm")), state(visitor.say("uh"))] == ["clarifying", "clarifying"]
    assert visitor.dialogue()["clarification_attempts"] == 2
    answer = visitor.say("whatever")
    assert (state(answer), answer["status"]) == ("handoff", "HANDOFF")
    assert answer["dialogue"]["clarification_attempts"] == 0
    assert accepted(router.get(f"/handoffs/{answer['handoff_id']}"))["reason"] == "low_confidence"


def test_2_the_third_search_without_progress_is_clarified(visitor: Visitor) -> None:
    searching = {"text": "zeppelin", "intent": "product_search"}
    assert [state(visitor.say(**searching)), state(visitor.say(**searching))] == ["idle", "idle"]
    answer = visitor.say(**searching)
    assert state(answer) == "clarifying"
    assert "repeated_intent" in fired(answer)
    assert state(visitor.say("shoes")) == "recommending", "the count starts again"


def test_3_show_more_moves_the_offset_by_the_limit_and_repeats_nothing(visitor: Visitor) -> None:
    first = visitor.say("running shoes")
    assert (first["dialogue"]["pagination"]["offset"], first["dialogue"]["pagination"]["limit"]) == (0, 5)
    second = visitor.click("show_more")
    assert route(second) == ["recommending", "paginating", "recommending"]
    assert second["dialogue"]["pagination"] == {**first["dialogue"]["pagination"], "offset": 5}
    assert card_ids(first) + card_ids(second) == SHOES[:10]


def test_4_wakha_confirms(visitor: Visitor) -> None:
    visitor.click("select", "shoe-03")
    answer = visitor.say("wakha")
    assert (state(answer), answer["dialogue"]["last_intent"]) == ("idle", "confirm")
    assert "Running shoes 03" in answer["reply"]["text"]
    assert [event["payload"] for event in visitor.events("action_confirmed")] == [
        {"action": "select", "target_id": "shoe-03"}
    ]


def test_5_la_cancels(visitor: Visitor) -> None:
    visitor.click("select", "shoe-03")
    answer = visitor.say("la")
    assert (state(answer), answer["dialogue"]["last_intent"]) == ("idle", "cancel")
    assert answer["dialogue"]["pending_confirmation"] == NOTHING_PENDING
    assert visitor.events("action_confirmed") == []


@pytest.mark.parametrize(("seconds", "ran"), [(300, True), (300.001, False)])
def test_6_a_confirmation_older_than_five_minutes_runs_nothing(
    seconds: float, ran: bool, clock: Clock, visitor: Visitor
) -> None:
    visitor.click("select", "shoe-03")
    clock.advance(seconds=seconds)
    answer = visitor.say("wakha")
    assert (state(answer), answer["dialogue"]["pending_confirmation"]) == ("idle", NOTHING_PENDING)
    assert len(visitor.events("action_confirmed")) == ran
    assert len(visitor.events("confirmation_expired")) == (not ran)


@pytest.mark.parametrize(
    "broken",
    [
        {"state": "dancing"},
        {"pagination": {"offset": -1, "limit": 5, "last_query_hash": None}},
        {"pagination": {"offset": 0, "limit": 6, "last_query_hash": None}},
        {"state": "awaiting_confirmation"},
        {"state": "awaiting_confirmation", "pending_confirmation": {"action": "select", "target_id": "x"}},
        {"surprise": True},
        {"last_intent": 7},
    ],
)
def test_7_an_inconsistent_record_is_reset_to_idle(broken: dict[str, Any], visitor: Visitor) -> None:
    first = visitor.say("running shoes")["dialogue"]
    visitor.rewrite_state({**first, **broken})
    answer = visitor.say("summer dress", message_id="after")
    assert (state(answer), answer["transitions"], card_ids(answer)) == ("idle", [], [])
    assert "consistency" in fired(answer)
    assert answer["dialogue"]["pending_confirmation"] == NOTHING_PENDING
    assert answer["dialogue"]["last_user_message_id"] == "after"
    assert [event["payload"]["reason"] for event in visitor.events("dialogue_reset")] == ["inconsistent_state"]
    assert state(visitor.say("summer dress")) == "recommending", "the dialogue goes on"


STATES = {
    "idle": [],
    "clarifying": [{"text": "hmm"}],
    "recommending": [{"text": "running shoes"}],
    "awaiting_confirmation": [{"meaning": "select", "target_id": "shoe-01"}],
    "handoff": [{"meaning": "human"}],
}


@pytest.mark.parametrize("how", [{"text": "I want to talk to a human"}, {"meaning": "human"}, {"intent": "human"}])
@pytest.mark.parametrize("resting", [*STATES, "paginating", "error"])
def test_8_a_human_can_be_had_from_every_state(resting: str, how: dict[str, str], visitor: Visitor) -> None:
    for turn in STATES.get(resting, [{"text": "running shoes"}]):
        visitor.say(**turn)
    if resting not in STATES:
        visitor.rewrite_state({**visitor.dialogue(), "state": resting})
    answer = visitor.say(**how)
    assert state(answer) == "handoff"
    assert route(answer)[-1] == "handoff"
    if resting == "paginating":
        assert route(answer) == ["paginating", "error", "handoff"]
    assert visitor.relationship()["owner"]["kind"] == "queue"
    assert len(visitor.events("handoff_requested")) == 1
