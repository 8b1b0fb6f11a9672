"""Closing: six types, one closure, its fields exactly the seed's (R6-R9, R12)."""

import pytest

from conversations.models import Event
from tests.cast import INITIATOR, RESPONDER, Actor, Clock, Opens, accepted, refused
from tests.conversations.domain.test_closure import SEED_FIELDS
from tests.invariants import snapshot

pytestmark = pytest.mark.django_db

TYPES = {
    "completed": "Conversation successfully completed",
    "expired": "Timebox expired",
    "max_depth": "Maximum conversation depth reached",
    "user_terminated": "User ended conversation",
    "error": "Error occurred, conversation aborted",
    "incomplete": "Conversation ended before it was completed",
}


def test_the_answer_is_the_closure_event_with_its_receipt(
    initiator: Actor, responder: Actor, opened: Opens, clock: Clock
) -> None:
    path = opened()
    initiator.post(f"{path}/intents", {"intent": "contract", "humotica": "Contract offered"})
    responder.post(f"{path}/responses", {"response": "signed", "humotica": "and signed"})
    clock.advance(hours=1, seconds=0.9)
    closure = accepted(initiator.post(f"{path}/close", {"closure_type": "completed"}))
    assert set(closure) == SEED_FIELDS | {"seq", "hash"}
    stored = accepted(initiator.get(path))
    assert stored["closure_event"] == closure
    assert stored["closed_at"] == closure["timestamp"] == "2025-11-27T15:00:00.900000Z"
    assert stored["time_remaining_seconds"] == 0
    assert closure.pop("hash") == stored["head"]["hash"]
    assert closure == {
        "seq": 4,
        "type": "conversation_closure",
        "fir_a_id": stored["id"],
        "closure_type": "completed",
        "closure_reason": "Conversation successfully completed",
        "timestamp": "2025-11-27T15:00:00.900000Z",
        "conversation_summary": {
            "total_intents": 1,
            "total_responses": 1,
            "intent_types": ["contract"],
            "outcome_status": "completed_with_signature",
            "humotica_trace": "Contract offered → and signed",
        },
        "total_events": 4,
        "conversation_duration_seconds": 3600,
        "outcome": "completed_with_signature",
        "re_engagement_offer": None,
    }


def test_the_stored_closure_carries_the_head_it_closes(router: Actor, opened: Opens) -> None:
    path = opened()
    head = accepted(router.get(path))["head"]
    router.post(f"{path}/close", {"closure_type": "completed"})
    event = accepted(router.get(f"{path}/events"))["results"][-1]
    assert event["payload"]["head"] == head
    assert set(event["payload"]) == SEED_FIELDS | {"head"}


@pytest.mark.parametrize(("closure_type", "reason"), TYPES.items())
def test_each_type_has_its_reason(router: Actor, opened: Opens, closure_type: str, reason: str) -> None:
    closure = accepted(router.post(f"{opened()}/close", {"closure_type": closure_type}))
    assert (closure["closure_type"], closure["closure_reason"]) == (closure_type, reason)


@pytest.mark.parametrize("body", [{}, {"closure_type": "bored"}, {"closure_type": None}, {"closure_type": 1}])
def test_an_unknown_type_is_refused(router: Actor, opened: Opens, body: dict[str, object]) -> None:
    path = opened()
    before = snapshot()
    problem = refused(router.post(f"{path}/close", body), 422, "invalid")
    assert problem["errors"][0]["field"] == "closure_type"
    assert snapshot() == before


def test_closing_twice_changes_nothing_and_shows_the_first_closure(router: Actor, opened: Opens) -> None:
    path = opened()
    closure = accepted(router.post(f"{path}/close", {"closure_type": "completed"}))
    before = snapshot()
    problem = refused(router.post(f"{path}/close", {"closure_type": "error"}), 409, "conversation_closed")
    assert problem["closure_event"] == closure
    assert snapshot() == before


def test_a_given_summary_stands_beside_the_generated_one(router: Actor, opened: Opens) -> None:
    closure = accepted(router.post(f"{opened()}/close", {"closure_type": "completed", "summary": "All well."}))
    assert closure["operator_summary"] == "All well."
    assert closure["conversation_summary"]["total_intents"] == 0


@pytest.mark.parametrize("who", ["initiator", "responder", "operator", "router"])
def test_either_party_an_operator_or_the_router_may_close(
    request: pytest.FixtureRequest, opened: Opens, who: str
) -> None:
    actor, path = request.getfixturevalue(who), opened()
    accepted(actor.post(f"{path}/close", {"closure_type": "user_terminated"}))
    closer = Event.objects.get(type="conversation_closure").actor
    assert closer == actor.record.actor
    if actor.record.participant:
        assert closer == actor.record.participant.actor, "a party closes in its own name"


@pytest.mark.parametrize(
    ("response", "humotica", "outcome", "offered"),
    [
        ("accepted", None, "success", False),
        ("accepted", "Follow-up REQUIRED in March", "success", True),
        ("rejected", None, "rejected", True),
        ("signed", None, "completed_with_signature", False),
        ("thinking_about_it", None, "incomplete", True),
    ],
)
def test_an_offer_is_made_where_a_follow_up_is_needed(
    router: Actor, opened: Opens, response: str, humotica: str | None, outcome: str, offered: bool
) -> None:
    path = opened()
    router.post(f"{path}/intents", {"sender": INITIATOR, "intent": "offer"})
    router.post(f"{path}/responses", {"sender": RESPONDER, "response": response, "humotica": humotica})
    closure = accepted(router.post(f"{path}/close", {"closure_type": "completed"}))
    assert closure["outcome"] == closure["conversation_summary"]["outcome_status"] == outcome
    assert (closure["re_engagement_offer"] is not None) is offered


def test_the_offer_carries_open_items(router: Actor, opened: Opens) -> None:
    path = opened()
    router.post(
        f"{path}/intents", {"sender": INITIATOR, "intent": "docs", "context": {"open_items": ["passport", "slip"]}}
    )
    router.post(
        f"{path}/responses", {"sender": RESPONDER, "response": "sent", "context": {"resolved_items": ["passport"]}}
    )
    router.post(f"{path}/intents", {"sender": INITIATOR, "intent": "review"})
    offer = accepted(router.post(f"{path}/close", {"closure_type": "incomplete"}))["re_engagement_offer"]
    assert offer["context_from_previous"]["open_items"] == ["review", "slip"]
    assert offer["suggested_timeslot_offset_hours"] == 24
    assert offer["suggested_intent"] == "follow_up_discussion"
