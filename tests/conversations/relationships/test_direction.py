"""Only the initiator sends intents, only the responder responses, and nobody speaks for another (R3)."""

import pytest

from tests.cast import INITIATOR, RESPONDER, STRANGER, Actor, Clock, Opens, accepted, refused
from tests.invariants import snapshot

pytestmark = pytest.mark.django_db


def test_the_initiator_sends_an_intent_and_gets_a_receipt(initiator: Actor, opened: Opens, clock: Clock) -> None:
    path = opened()
    clock.advance(hours=1)
    answer = accepted(
        initiator.post(f"{path}/intents", {"intent": "advice", "context": {"a": [1]}, "humotica": "calls"}), 201
    )
    event = answer.pop("event")
    assert answer == {"conversation_depth": 1, "max_depth": 5, "expires_at": "2025-11-28T15:00:00.000000Z"}
    assert {name: event[name] for name in ("seq", "type", "at", "payload")} == {
        "seq": 2,
        "type": "intent",
        "at": "2025-11-27T15:00:00.000000Z",
        "payload": {"sender": INITIATOR, "intent": "advice", "context": {"a": [1]}, "humotica": "calls"},
    }
    assert accepted(initiator.get(path))["head"] == {"seq": 2, "hash": event["hash"]}


def test_the_responder_answers_without_deepening(initiator: Actor, responder: Actor, opened: Opens) -> None:
    path = opened()
    initiator.post(f"{path}/intents", {"intent": "advice"})
    answer = accepted(responder.post(f"{path}/responses", {"response": "accepted"}), 201)
    assert answer["event"]["type"] == "response_accepted"
    assert answer["conversation_depth"] == 1


def test_the_router_may_name_either_sender(router: Actor, opened: Opens) -> None:
    path = opened()
    accepted(router.post(f"{path}/intents", {"sender": INITIATOR, "intent": "advice"}), 201)
    accepted(router.post(f"{path}/responses", {"sender": RESPONDER, "response": "ok"}), 201)


def test_the_router_must_name_one(router: Actor, opened: Opens) -> None:
    path, before = opened(), snapshot()
    before = snapshot()
    problem = refused(router.post(f"{path}/intents", {"intent": "advice"}), 422, "invalid")
    assert problem["errors"][0]["field"] == "sender"
    assert snapshot() == before


@pytest.mark.parametrize(
    ("sender", "what", "body", "code"),
    [
        (RESPONDER, "intents", {"intent": "question"}, "intent_direction"),
        (INITIATOR, "responses", {"response": "accepted"}, "response_direction"),
        (STRANGER, "intents", {"intent": "advice"}, "not_a_party"),
        (STRANGER, "responses", {"response": "accepted"}, "not_a_party"),
        ("nobody ever heard of", "intents", {"intent": "advice"}, "not_a_party"),
    ],
)
def test_the_wrong_sender_is_refused_and_nothing_changes(
    router: Actor, opened: Opens, sender: str, what: str, body: dict[str, str], code: str
) -> None:
    path = opened()
    before = snapshot()
    refused(router.post(f"{path}/{what}", {"sender": sender, **body}), 403, code)
    assert snapshot() == before


def test_a_participant_key_is_the_sender(initiator: Actor, responder: Actor, opened: Opens) -> None:
    path = opened()
    before = snapshot()
    refused(responder.post(f"{path}/intents", {"intent": "question"}), 403, "intent_direction")
    refused(initiator.post(f"{path}/responses", {"response": "accepted"}), 403, "response_direction")
    refused(responder.post(f"{path}/intents", {"sender": INITIATOR, "intent": "x"}), 403, "sender_mismatch")
    refused(initiator.post(f"{path}/responses", {"sender": RESPONDER, "response": "x"}), 403, "sender_mismatch")
    assert snapshot() == before


def test_to_a_stranger_the_conversation_does_not_exist(stranger: Actor, opened: Opens) -> None:
    path = opened()
    before = snapshot()
    for what, body in (
        ("intents", {"intent": "x"}),
        ("responses", {"response": "x"}),
        ("close", {"closure_type": "completed"}),
        ("followups", {}),
        ("rating", {"score": 5}),
    ):
        refused(stranger.post(f"{path}/{what}", body), 404, "not_found")
    for what in ("", "/events", "/lineage"):
        refused(stranger.get(path + what), 404, "not_found")
    assert accepted(stranger.get("/relationships"))["results"] == []
    assert snapshot() == before


def test_a_wrong_sender_does_not_end_an_expired_conversation(router: Actor, opened: Opens, clock: Clock) -> None:
    path = opened()
    clock.advance(hours=25)
    before = snapshot()
    refused(router.post(f"{path}/intents", {"sender": STRANGER, "intent": "x"}), 403, "not_a_party")
    assert snapshot() == before


@pytest.mark.parametrize("intent", ["Follow up, please", "één vraag?", "<b>x</b>", "a/b"])
def test_an_intent_is_named_in_any_words(initiator: Actor, opened: Opens, intent: str) -> None:
    event = accepted(initiator.post(f"{opened()}/intents", {"intent": intent}), 201)["event"]
    assert (event["type"], event["payload"]["intent"]) == ("intent", intent)


@pytest.mark.parametrize(
    ("what", "body", "field"),
    [
        ("intents", {}, "intent"),
        ("intents", {"intent": ""}, "intent"),
        ("intents", {"intent": " "}, "intent"),
        ("intents", {"intent": "x" * 201}, "intent"),
        ("intents", {"intent": 3}, "intent"),
        ("intents", {"intent": "x\n"}, "intent"),
        ("intents", {"intent": "x", "context": [1]}, "context"),
        ("intents", {"intent": "x", "humotica": {}}, "humotica"),
        ("intents", {"intent": "x", "response": "y"}, "response"),
        ("responses", {}, "response"),
        ("responses", {"response": "ünïcode"}, "response"),
        ("responses", {"response": None}, "response"),
    ],
)
def test_a_malformed_message_is_refused_by_field(
    router: Actor, opened: Opens, what: str, body: dict[str, object], field: str
) -> None:
    path = opened()
    before = snapshot()
    problem = refused(router.post(f"{path}/{what}", {"sender": INITIATOR, **body}), 422, "invalid")
    assert [error["field"] for error in problem["errors"]] == [field]
    assert snapshot() == before
