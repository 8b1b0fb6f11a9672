"""Every act of the contract's Handoff section: what it does, who may, and that a refusal changes nothing."""

import pytest

from conversations.models import Handoff
from tests.cast import Actor, Clock, Opens, accepted, refused
from tests.conversations.handoff.conftest import Waiting
from tests.invariants import assert_history_holds, snapshot

SHAPE = {
    "id", "relationship", "status", "version", "reason", "summary", "operator", "transfer_to", "requested_at",
    "claimed_at", "wait_seconds",
}  # fmt: skip


def unchanged(waiting: Waiting) -> tuple[object, ...]:
    return snapshot(), {**waiting.now(), "wait_seconds": 0}


def test_asking_for_a_person_puts_the_conversation_into_the_queue(waiting: Waiting) -> None:
    made = waiting.now()
    assert set(made) == SHAPE
    assert (made["status"], made["version"], made["reason"], made["operator"]) == ("waiting", 1, "wants a person", None)
    assert waiting.owner() == ("queue", None)
    assert waiting.events()[-1] == "handoff_requested"


def test_asking_twice_gives_the_request_that_is_open(waiting: Waiting, router: Actor) -> None:
    before = unchanged(waiting)
    again = accepted(router.post(f"{waiting.conversation}/handoff", {"reason": "hello?"}), 201)
    assert f"/handoffs/{again['id']}" == waiting.path
    assert unchanged(waiting) == before


def test_one_claim_wins_and_the_loser_learns_who(waiting: Waiting, operator: Actor, colleague: Actor) -> None:
    version = waiting.now()["version"]
    won = accepted(operator.post(f"{waiting.path}/claim", {"version": version}))
    assert (won["status"], won["version"], won["operator"]) == ("claimed", version + 1, "the operator")
    before = unchanged(waiting)
    for seen in (version, version + 1):
        lost = refused(colleague.post(f"{waiting.path}/claim", {"version": seen}), 409, "already_claimed")
        assert lost["operator"] == "the operator"
    assert unchanged(waiting) == before
    assert waiting.owner() == ("operator", "the operator")


def test_a_claim_by_an_old_version_is_refused_with_the_new_one(waiting: Waiting, operator: Actor) -> None:
    before = unchanged(waiting)
    problem = refused(operator.post(f"{waiting.path}/claim", {"version": 7}), 409, "version_conflict")
    assert problem["version"] == 1
    refused(operator.post(f"{waiting.path}/claim", {}), 422, "invalid")
    assert unchanged(waiting) == before


def test_every_act_raises_the_version_and_leaves_its_event(waiting: Waiting, operator: Actor, colleague: Actor) -> None:
    acts = [
        (operator, "claim", {"version": 1}, "handoff_claimed"),
        (operator, "reply", {"text": "Hello!"}, "operator_replied"),
        (colleague, "note", {"text": "careful"}, "operator_noted"),
        (operator, "transfer", {"to": "bert"}, "handoff_transferred"),
        (colleague, "decline", {}, "handoff_transferred"),
        (operator, "transfer", {"to": "bert"}, "handoff_transferred"),
        (colleague, "accept", {}, "handoff_claimed"),
        (colleague, "release", {}, "handoff_released"),
        (operator, "claim", {"version": 9}, "handoff_claimed"),
        (operator, "return", {"note": "yours"}, "handoff_returned"),
    ]
    for number, (who, act, body, event) in enumerate(acts, start=2):
        done = accepted(who.post(f"{waiting.path}/{act}", body))
        assert (done["version"], waiting.events()[-1]) == (number, event), act
    assert waiting.owner() == ("bot", None)
    assert_history_holds()


def test_the_holder_keeps_it_until_the_other_accepts(waiting: Waiting, operator: Actor, colleague: Actor) -> None:
    waiting.claim(operator)
    offered = accepted(operator.post(f"{waiting.path}/transfer", {"to": "bert"}))
    assert (offered["operator"], offered["transfer_to"]) == ("the operator", "bert")
    assert waiting.owner() == ("operator", "the operator")
    refused(colleague.post(f"{waiting.path}/reply", {"text": "mine already?"}), 403, "not_holder")
    accepted(operator.post(f"{waiting.path}/reply", {"text": "a moment"}))
    taken = accepted(colleague.post(f"{waiting.path}/accept"))
    assert (taken["operator"], taken["transfer_to"]) == ("bert", None)
    assert waiting.owner() == ("operator", "bert")
    refused(operator.post(f"{waiting.path}/reply", {"text": "still me?"}), 403, "not_holder")


def test_a_declined_transfer_stays_where_it_was(waiting: Waiting, operator: Actor, colleague: Actor) -> None:
    waiting.claim(operator)
    accepted(operator.post(f"{waiting.path}/transfer", {"to": "bert"}))
    refused(operator.post(f"{waiting.path}/decline"), 403, "not_holder")
    declined = accepted(colleague.post(f"{waiting.path}/decline"))
    assert (declined["operator"], declined["transfer_to"]) == ("the operator", None)
    refused(colleague.post(f"{waiting.path}/accept"), 403, "not_holder")


def test_a_conversation_goes_only_to_somebody_who_may_take_it(
    waiting: Waiting, operator: Actor, django_user_model: type
) -> None:
    django_user_model.objects.create_user("viewer-only")
    django_user_model.objects.create_user("gone", is_active=False, is_superuser=True)
    waiting.claim(operator)
    before = unchanged(waiting)
    for name in ("nobody", "viewer-only", "gone", "the operator"):
        problem = refused(operator.post(f"{waiting.path}/transfer", {"to": name}), 422, "invalid")
        assert problem["errors"][0] | {"message": ""} == {"field": "to", "code": "unknown_operator", "message": ""}
    assert unchanged(waiting) == before


HOLDERS_ACTS = [
    ("release", {}),
    ("transfer", {"to": "bert"}),
    ("reply", {"text": "hi"}),
    ("return", {}),
    ("resolve", {"closure_type": "completed"}),
]


@pytest.mark.parametrize(("act", "body"), HOLDERS_ACTS)
def test_what_only_the_holder_may_is_refused_to_others_and_before_a_claim(
    waiting: Waiting, operator: Actor, colleague: Actor, act: str, body: dict
) -> None:
    before = unchanged(waiting)
    problem = refused(colleague.post(f"{waiting.path}/{act}", body), 409, "handoff_status")
    assert problem["handoff_status"] == "waiting"
    assert unchanged(waiting) == before
    waiting.claim(operator)
    before = unchanged(waiting)
    assert refused(colleague.post(f"{waiting.path}/{act}", body), 403, "not_holder")["operator"] == "the operator"
    assert unchanged(waiting) == before


@pytest.mark.parametrize(
    ("act", "body"),
    [("reply", {"text": ""}), ("reply", {}), ("note", {}), ("transfer", {}), ("resolve", {}), ("release", {"x": 1}),
     ("resolve", {"closure_type": "bored"}), ("return", {"grant": {"a": 0}}), ("return", {"facts": []})],
)  # fmt: skip
def test_a_body_that_breaks_the_contract_changes_nothing(
    waiting: Waiting, operator: Actor, act: str, body: dict
) -> None:
    waiting.claim(operator)
    before = unchanged(waiting)
    refused(operator.post(f"{waiting.path}/{act}", body), 422, "invalid")
    assert unchanged(waiting) == before


def test_resolving_ends_handoff_and_conversation_with_the_summary_beside_the_generated_one(
    waiting: Waiting, operator: Actor
) -> None:
    waiting.claim(operator)
    done = accepted(operator.post(f"{waiting.path}/resolve", {"closure_type": "completed", "summary": "all well"}))
    assert (done["status"], done["closure_event"]["operator_summary"]) == ("resolved", "all well")
    ended = accepted(operator.get(waiting.conversation))
    assert (ended["conversation_state"], ended["closure_event"]["closure_type"]) == ("closed", "completed")
    assert waiting.events()[-2:] == ["handoff_resolved", "conversation_closure"]
    refused(operator.post(f"{waiting.path}/reply", {"text": "one more thing"}), 409, "conversation_closed")
    assert_history_holds()


def test_a_takeover_is_a_request_and_a_claim(opened: Opens, operator: Actor, colleague: Actor) -> None:
    path = opened()
    taken = accepted(operator.post(f"{path}/takeover", {"reason": "mine"}), 201)
    assert (taken["status"], taken["operator"], taken["reason"], taken["version"]) == (
        "claimed", "the operator", "mine", 2,
    )  # fmt: skip
    events = [event["type"] for event in accepted(operator.get(f"{path}/events"))["results"]]
    assert events[-2:] == ["handoff_requested", "handoff_claimed"]
    assert refused(colleague.post(f"{path}/takeover", {}), 409, "already_claimed")["operator"] == "the operator"


def test_a_takeover_of_one_that_waits_claims_the_request(waiting: Waiting, operator: Actor) -> None:
    taken = accepted(operator.post(f"{waiting.conversation}/takeover", {"reason": "mine"}), 201)
    assert (f"/handoffs/{taken['id']}", taken["reason"]) == (waiting.path, "wants a person")


def test_our_side_is_silent_while_a_person_owns_it_and_the_other_side_is_recorded(
    waiting: Waiting, router: Actor, operator: Actor
) -> None:
    waiting.claim(operator)
    before = unchanged(waiting)
    problem = refused(
        router.post(f"{waiting.conversation}/intents", {"sender": "bank", "intent": "ask"}), 409, "owned_by_human"
    )
    assert problem["owner"]["operator"] == "the operator"
    assert unchanged(waiting) == before
    accepted(router.post(f"{waiting.conversation}/responses", {"sender": "customer", "response": "accepted"}), 201)


def test_after_a_return_a_new_request_is_a_new_handoff(waiting: Waiting, router: Actor, operator: Actor) -> None:
    waiting.claim(operator)
    accepted(operator.post(f"{waiting.path}/return", {}))
    again = accepted(router.post(f"{waiting.conversation}/handoff", {}), 201)
    assert f"/handoffs/{again['id']}" != waiting.path
    assert Handoff.objects.count() == 2


def test_lists_by_status_and_an_unknown_status_is_refused(waiting: Waiting, operator: Actor) -> None:
    assert [row["id"] for row in accepted(operator.get("/handoffs", status="waiting"))["results"]]
    assert accepted(operator.get("/handoffs", status="claimed"))["results"] == []
    waiting.claim(operator)
    assert len(accepted(operator.get("/handoffs", status="claimed"))["results"]) == 1
    refused(operator.get("/handoffs", status="bored"), 422, "invalid")
    refused(operator.get("/handoffs/00000000-0000-0000-0000-000000000000"), 404, "not_found")


def test_the_wait_ends_with_the_claim(waiting: Waiting, operator: Actor, clock: Clock) -> None:
    start = Handoff.objects.get()
    Handoff.objects.update(requested_at=clock.now)
    clock.advance(seconds=90)
    assert waiting.now()["wait_seconds"] == 90
    Handoff.objects.update(claimed_at=clock.now)
    clock.advance(seconds=90)
    assert waiting.now()["wait_seconds"] == 90
    assert start.status == "waiting"


def test_a_conversation_that_expires_in_the_queue_is_waited_for_no_longer(
    clock: Clock, router: Actor, operator: Actor, opened: Opens
) -> None:
    path = opened(timebox_hours=1)
    made = accepted(router.post(f"{path}/handoff", {"reason": "help"}), 201)
    clock.advance(hours=2)
    claim = operator.post(f"/handoffs/{made['id']}/claim", {"version": made["version"]})
    refused(claim, 409, "conversation_expired")
    assert accepted(operator.get(f"/handoffs/{made['id']}"))["status"] == "resolved"
