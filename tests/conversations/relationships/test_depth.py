"""Depth counts intents; the one too many closes the conversation and says so (R4)."""

import pytest

from conversations.models import OutboxMessage
from tests.cast import Actor, Opens, accepted, refused
from tests.invariants import snapshot

pytestmark = pytest.mark.django_db


def test_five_intents_pass_and_the_sixth_closes(initiator: Actor, responder: Actor, opened: Opens) -> None:
    path = opened()
    for depth in range(1, 6):
        answer = accepted(initiator.post(f"{path}/intents", {"intent": f"intent_{depth}"}), 201)
        assert answer["conversation_depth"] == depth
        accepted(responder.post(f"{path}/responses", {"response": "accepted"}), 201)
    problem = refused(initiator.post(f"{path}/intents", {"intent": "intent_6"}), 409, "max_depth_exceeded")

    closure = problem["closure_event"]
    assert closure["closure_type"] == "max_depth"
    assert closure["conversation_summary"]["total_intents"] == 5
    assert problem["re_engagement_offer"] == closure["re_engagement_offer"]
    assert problem["re_engagement_offer"]["type"] == "re_engagement_offer", "even though the last answer was accepted"
    stored = accepted(initiator.get(path))
    assert (stored["conversation_state"], stored["conversation_depth"]) == ("closed", 5)
    assert stored["closure_event"] == closure
    assert stored["head"] == {"seq": closure["seq"], "hash": closure["hash"]} == {"seq": 12, "hash": closure["hash"]}
    assert closure["total_events"] == 12


def test_the_refused_intent_is_not_in_the_chain(initiator: Actor, router: Actor, opened: Opens) -> None:
    path = opened(max_depth=1)
    initiator.post(f"{path}/intents", {"intent": "first"})
    initiator.post(f"{path}/intents", {"intent": "second"})
    types = [event["type"] for event in accepted(router.get(f"{path}/events"))["results"]]
    assert types == ["fir_a_created", "intent", "conversation_closure"]


def test_both_sides_are_told_of_the_closing(initiator: Actor, opened: Opens) -> None:
    path = opened(max_depth=1)
    initiator.post(f"{path}/intents", {"intent": "first"})
    refused(initiator.post(f"{path}/intents", {"intent": "second"}), 409, "max_depth_exceeded")
    assert OutboxMessage.objects.filter(event__type="conversation_closure", destination="audience").count() == 1


def test_after_that_every_message_meets_the_closure(initiator: Actor, responder: Actor, opened: Opens) -> None:
    path = opened(max_depth=1)
    initiator.post(f"{path}/intents", {"intent": "first"})
    closure = initiator.post(f"{path}/intents", {"intent": "second"}).json()["closure_event"]
    before = snapshot()
    for actor, what, body in (
        (initiator, "intents", {"intent": "third"}),
        (responder, "responses", {"response": "accepted"}),
        (initiator, "close", {"closure_type": "completed"}),
    ):
        assert refused(actor.post(f"{path}/{what}", body), 409, "conversation_closed")["closure_event"] == closure
    assert snapshot() == before


def test_responses_are_unlimited(responder: Actor, opened: Opens) -> None:
    path = opened(max_depth=1)
    for _ in range(7):
        accepted(responder.post(f"{path}/responses", {"response": "still_here"}), 201)
