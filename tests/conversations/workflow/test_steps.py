"""`POST /relationships/{id}/steps`: the answer of seed 003, recorded once, in the chain."""

import json
from typing import Any

import pytest

from conversations.models import LoopFinding, Relationship
from conversations.selectors.events import chain_of
from tests.cast import Actor, Clock, Opens, accepted, refused
from tests.invariants import snapshot

pytestmark = pytest.mark.django_db


@pytest.fixture
def run(opened: Opens) -> str:
    return opened(driver="workflow")


def step(router: Actor, run: str, number: int, **told: Any) -> dict[str, Any]:
    body = {"step_id": f"s{number}", "operation": "list", **told}
    return accepted(router.post(f"{run}/steps", body))


def row(run: str) -> Relationship:
    return Relationship.objects.get(pk=run.rpartition("/")[2])


def types(run: str) -> list[str]:
    return [event.type for event in chain_of(row(run))]


def test_a_step_is_answered_in_the_words_of_the_contract(router: Actor, run: str) -> None:
    answer = step(router, run, 0, parameters={"day": 1}, response="Two events.", original_request="list my events")
    assert {
        "step_id", "duplicate", "step_index", "processed", "analysis", "decision", "progress", "fulfillment",
        "resolutions", "finding_id",
    } <= set(answer)  # fmt: skip
    assert (answer["step_id"], answer["duplicate"], answer["step_index"]) == ("s0", False, 0)
    assert "message_id" not in answer
    assert set(answer["processed"]) >= {"content", "is_complete", "is_truncated", "truncation"}
    assert set(answer["analysis"]) >= {
        "has_loop", "loop_type", "confidence", "affected_steps", "suggested_action", "rule",
    }  # fmt: skip
    assert set(answer["decision"]) == {"should_continue", "reason", "confidence", "next_action"}
    assert answer["finding_id"] is None


def test_steps_are_numbered_from_nought(router: Actor, run: str) -> None:
    assert [step(router, run, n, operation=f"op{n}")["step_index"] for n in range(3)] == [0, 1, 2]


def test_the_same_step_id_gets_the_same_answer_and_is_recorded_once(router: Actor, run: str) -> None:
    first = step(router, run, 0, response="one")
    before = snapshot()
    again = step(router, run, 0, operation="something else")
    assert again == {**first, "duplicate": True}
    assert snapshot() == before


def test_a_turn_does_not_get_the_answer_of_a_step_with_the_same_id(router: Actor, run: str) -> None:
    step(router, run, 0, response="one")
    before = snapshot()
    refused(router.post(f"{run}/turns", {"message_id": "s0", "text": "hello"}), 409, "not_driven")
    assert snapshot() == before


def test_two_equal_steps_are_redundant_and_three_are_infinite(router: Actor, run: str) -> None:
    answers = [step(router, run, n, parameters={"day": 1}, response="partial") for n in range(3)]
    assert [answer["analysis"]["has_loop"] for answer in answers] == [False, True, True]
    assert [answer["decision"]["next_action"] for answer in answers[1:]] == ["skip", "stop"]
    assert answers[2]["analysis"]["loop_type"] == "infinite"
    assert answers[2]["resolutions"][0]["strategy"] == "use_known_result"


def test_an_alarm_is_an_event_with_everything_a_reviewer_needs(router: Actor, run: str) -> None:
    for n in range(2):
        answer = step(router, run, n, response="partial")
    found = chain_of(row(run))[-1]
    assert found.type == "loop_found"
    assert found.payload is not None
    assert found.payload["finding_id"] == answer["finding_id"]
    assert found.payload["rule"] == "repeated_call"
    assert found.payload["evidence"] == [0, 1]
    assert found.payload["window"] == [0, 1]
    assert found.payload["confidence"] == "0.85"
    assert found.payload["action"] == "skip"
    assert found.payload["policy_version"] == "0"
    stored = LoopFinding.objects.get()
    assert (str(stored.pk), stored.level, stored.evidence) == (answer["finding_id"], "warn", [0, 1])
    assert (str(row(run).loop_finding), str(row(run).loop_risk)) == (answer["finding_id"], "0.85")


def test_a_loop_that_goes_on_is_nudged_and_then_reported_again_only_for_another_reason(router: Actor, run: str) -> None:
    answers = [step(router, run, n, response="partial") for n in range(9)]
    assert [answer["escalation"]["level"] for answer in answers[1:4]] == ["warn", "nudge", "nudge"]
    found = [event.content for event in chain_of(row(run)) if event.type == "loop_found"]
    assert [finding["rule"] for finding in found] == ["repeated_call"] * 3 + ["cycle"]
    assert types(run).count("loop_nudged") == 3
    assert answers[8]["finding_id"] == found[-1]["finding_id"]
    assert all(not answer["decision"]["should_continue"] for answer in answers[1:])


def test_the_tenth_step_names_the_budget_and_later_ones_are_recorded_all_the_same(router: Actor, run: str) -> None:
    answers = [step(router, run, n, operation=f"op{n}", response=f"result {n}") for n in range(12)]
    assert [answer["decision"]["should_continue"] for answer in answers] == [True] * 9 + [False] * 3
    assert all("max_steps" in answer["decision"]["reason"] for answer in answers[9:])
    assert types(run).count("step_taken") == 12
    assert not any(answer["analysis"]["has_loop"] for answer in answers)


def test_a_cut_response_is_asked_for_again_and_is_no_loop(router: Actor, run: str) -> None:
    link = "1. **Walk Dog**\n - [Event Link](https://www.google.com/calendar/event?eid=MmJtc2xo"
    answers = [step(router, run, n, response=link) for n in range(3)]
    for answer in answers:
        assert answer["processed"]["is_truncated"] is True
        assert answer["processed"]["truncation"]["suggested_action"] == "retry"
        assert answer["analysis"]["has_loop"] is False
        assert answer["decision"]["next_action"] == "retry"


def test_long_responses_that_differ_only_beyond_the_cut_are_not_the_same(router: Actor, run: str) -> None:
    """A cut of ours must never look like a loop."""
    head = "word " * 1000
    answers = [step(router, run, n, response=f"{head} page {'abcdefg'[n]} ends.") for n in range(4)]
    assert not any(answer["analysis"]["has_loop"] for answer in answers)
    taken = chain_of(row(run))[1]
    assert taken.payload is not None
    assert len(taken.payload["response"]) < 2100
    assert len(taken.payload["response_sha256"]) == 64
    assert taken.payload["response_length"] == len(f"{head} page a ends.")


def test_equal_long_responses_are_the_same_whatever_their_clocks_say(router: Actor, run: str) -> None:
    head = "word " * 1000
    answers = [step(router, run, n, response=f"{head} as of 10:0{n}:00.") for n in range(3)]
    assert answers[2]["analysis"]["has_loop"] is True


def test_numbers_are_the_same_before_and_after_the_ledger(router: Actor, run: str) -> None:
    for n in range(2):
        answer = step(router, run, n, parameters={"share": 1.0}, response="same")
    assert answer["analysis"]["has_loop"] is True


@pytest.mark.parametrize("parameters", [None, [], "text", 7, True, 1.5, {"a": {"b": [1, {"c": None}]}}, [[[[]]]]])
def test_parameters_may_have_any_shape(router: Actor, run: str, parameters: Any) -> None:
    assert step(router, run, 0, parameters=parameters, response={"any": ["json", 1]})["step_index"] == 0


def test_large_parameters_are_bounded_in_the_ledger_and_still_told_apart(router: Actor, run: str) -> None:
    for n in range(3):
        answer = step(router, run, n, parameters={"body": "x" * 20_000 + str(n)}, response="ok")
    assert answer["analysis"]["has_loop"] is False
    assert all(len(json.dumps(event.payload)) < 20_000 for event in chain_of(row(run)))


@pytest.mark.parametrize(
    "body",
    [
        {"step_id": "a"},
        {"step_id": "a", "operation": ""},
        {"operation": "list"},
        {"step_id": "a", "operation": "list", "surprise": 1},
        {"step_id": "a", "operation": ["list"]},
        {"step_id": "a", "operation": "list", "parameters": {"n": 2**60}},
    ],
)
def test_bad_input_is_refused_and_changes_nothing(router: Actor, run: str, body: dict[str, Any]) -> None:
    before = snapshot()
    refused(router.post(f"{run}/steps", body), 422, "invalid")
    assert snapshot() == before


def test_a_megabyte_is_refused_and_what_fits_is_taken(router: Actor, run: str) -> None:
    body = {"step_id": "a", "operation": "read", "response": "x" * 1_000_000}
    refused(router.post(f"{run}/steps", body), 413, "body_too_large")
    assert step(router, run, 1, response="y " * 120_000)["processed"]["metadata"]["is_shortened"] is True


def test_only_workflows_take_steps_and_only_from_a_router(router: Actor, operator: Actor, opened: Opens) -> None:
    body = {"step_id": "a", "operation": "list"}
    refused(router.post(f"{opened()}/steps", body), 409, "not_driven")
    refused(operator.post(f"{opened(driver='workflow')}/steps", body), 403, "forbidden")


def test_a_person_who_has_the_conversation_is_not_worked_around(router: Actor, operator: Actor, run: str) -> None:
    step(router, run, 0)
    accepted(operator.post(f"{run}/takeover", {"reason": "mine"}), 201)
    before = snapshot()
    problem = refused(router.post(f"{run}/steps", {"step_id": "s1", "operation": "list"}), 409, "owned_by_human")
    assert problem["owner"]["kind"] == "operator"
    assert snapshot() == before


def test_a_closed_or_expired_workflow_takes_no_step(router: Actor, opened: Opens, clock: Clock) -> None:
    closed, expired = opened(driver="workflow"), opened(driver="workflow", timebox_hours=1)
    accepted(router.post(f"{closed}/close", {"closure_type": "completed"}))
    body = {"step_id": "a", "operation": "list"}
    assert refused(router.post(f"{closed}/steps", body), 409, "conversation_closed")["closure_event"]
    clock.advance(hours=2)
    refused(router.post(f"{expired}/steps", body), 409, "conversation_expired")


def test_a_step_moves_the_clock_but_not_the_depth(router: Actor, opened: Opens, clock: Clock) -> None:
    run = opened(driver="workflow")
    before = row(run).expires_at
    clock.advance(minutes=10)
    step(router, run, 0)
    assert row(run).expires_at > before
    assert row(run).conversation_depth == 0


def test_a_changed_budget_applies_at_once(router: Actor, editor: Actor, run: str) -> None:
    accepted(editor.call("PUT", "/guards/policy", data=json.dumps({"workflow": {"max_steps": 1}}),
                         content_type="application/json"))  # fmt: skip
    assert "max_steps" in step(router, run, 0)["decision"]["reason"]
