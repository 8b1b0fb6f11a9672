"""What people do to a conversation a flow drives, and that the record alone rebuilds it."""

import pytest

from conversations.domain.turns import FLOW_EVENTS
from conversations.models import FlowRun, Relationship
from conversations.selectors.events import chain_of
from conversations.selectors.flow_runs import flow_of, runtime_of
from flows.engine.apply import fold
from flows.engine.outcome import Reply
from flows.engine.runner import advance
from flows.engine.steps import Outcome, step_from_json
from tests.cast import Actor, Opens, accepted, refused
from tests.flows.api.support import SLUG, Visitor, contact_flow, heard, saved
from tests.invariants import assert_history_holds, snapshot


@pytest.fixture
def stuck(visitor: Visitor, operator: Actor) -> str:
    """The claimed handoff of a visitor who would not answer."""
    visitor.say()
    visitor.say("no")
    handoff = f"/handoffs/{visitor.say('no!')['handoff_id']}"
    version = accepted(operator.get(handoff))["version"]
    accepted(operator.post(f"{handoff}/claim", {"version": version}))
    return handoff


def test_an_operator_sets_and_removes_facts(visitor: Visitor, operator: Actor) -> None:
    visitor.say()
    gained = accepted(operator.post(f"{visitor.path}/facts", {"set": {"email": "a@example.com"}}))
    assert gained == {"gatesGained": ["CONTACT"], "gatesLost": []}
    assert visitor.runtime()["factValues"]["contact_email"]["source"] == "operator"
    lost = accepted(operator.post(f"{visitor.path}/facts", {"remove": ["contact_email"]}))
    assert lost == {"gatesGained": [], "gatesLost": ["CONTACT"]}
    assert visitor.say("hm", facts={})["gatesLost"] == ["CONTACT"]
    assert_history_holds()


def test_null_is_no_fact_whoever_says_it(stuck: str, visitor: Visitor, operator: Actor) -> None:
    none = {"gatesGained": [], "gatesLost": []}
    assert accepted(operator.post(f"{visitor.path}/facts", {"set": {"email": None}})) == none
    refused(operator.post(f"{stuck}/return", {"facts": {"email": None}}), 409, "nobody_to_answer")
    assert visitor.runtime()["facts"] == []


def test_facts_need_an_operator_and_a_flow(visitor: Visitor, router: Actor, operator: Actor, opened: Opens) -> None:
    plain = opened()
    before = snapshot()
    refused(router.post(f"{visitor.path}/facts", {"set": {"email": "x"}}), 403, "forbidden")
    refused(operator.post(f"{plain}/facts", {"set": {"email": "x"}}), 404, "not_found")
    refused(operator.post(f"{visitor.path}/facts", {"set": ["email"]}), 422, "invalid")
    refused(operator.post(f"{visitor.path}/facts", {}), 422, "invalid")
    assert snapshot() == before


def test_giving_back_with_the_fact_completes_the_flow(stuck: str, visitor: Visitor, operator: Actor) -> None:
    done = accepted(operator.post(f"{stuck}/return", {"note": "got it", "facts": {"email": "a@example.com"}}))
    assert (done["status"], done["turn"]["status"]) == ("returned", "COMPLETE")
    assert accepted(operator.get(visitor.path))["closure_event"]["closure_type"] == "completed"
    assert_history_holds()


def test_giving_back_with_a_grant_asks_again_at_once(stuck: str, visitor: Visitor, operator: Actor) -> None:
    done = accepted(operator.post(f"{stuck}/return", {"grant": {"mail-1": 1}}))
    assert heard(done["turn"]) == [("mail-1", "RETRY")]
    assert visitor.say("a@example.com")["status"] == "COMPLETE"
    assert_history_holds()


@pytest.mark.parametrize("given", [{}, {"skip": ["mail-1"]}])
def test_giving_back_is_refused_when_the_flow_would_ask_for_a_person_again(
    stuck: str, operator: Actor, given: dict
) -> None:
    before = snapshot()
    problem = refused(operator.post(f"{stuck}/return", given), 409, "nobody_to_answer")
    assert problem["reason"] == problem["detail"]
    assert "mail-1" in problem["reason"]
    assert snapshot() == before
    assert accepted(operator.get(stuck))["status"] == "claimed"


@pytest.mark.parametrize("given", [{"skip": ["nobody"]}, {"grant": {"nobody": 1}}])
def test_giving_back_with_an_unknown_node_is_refused(stuck: str, operator: Actor, given: dict) -> None:
    before = snapshot()
    problem = refused(operator.post(f"{stuck}/return", given), 422, "invalid")
    assert problem["errors"][0]["code"] == "unknown_node"
    assert snapshot() == before


def test_what_an_operator_gives_before_the_first_word_is_not_lost(visitor: Visitor, operator: Actor) -> None:
    taken = accepted(operator.post(f"{visitor.path}/takeover", {"reason": "I know them"}), 201)
    done = accepted(operator.post(f"/handoffs/{taken['id']}/return", {"facts": {"email": "a@example.com"}}))
    assert done["turn"]["status"] == "COMPLETE"


@pytest.fixture
def second(editor: Actor, visitor: Visitor) -> int:
    """A second version, in which the question has another id."""
    visitor.say()
    changed = contact_flow()
    changed["nodes"][1]["id"] = "mail-2"
    saved(editor, changed)
    return accepted(editor.post(f"/flows/{SLUG}/publish"), 201)["version"]


def test_a_dry_run_shows_the_decision_before_and_after_and_moves_nothing(
    visitor: Visitor, second: int, router: Actor
) -> None:
    before = snapshot()
    body = {"version": second, "mapping": {"mail-1": "mail-2"}, "dry_run": True}
    plan = accepted(router.post(f"{visitor.path}/migrate", body))
    assert (plan["ok"], plan["before"]["nodeId"], plan["after"]["nodeId"]) == (True, "mail-1", "mail-2")
    assert snapshot() == before


def test_a_migration_that_would_forget_a_node_is_refused(visitor: Visitor, second: int, router: Actor) -> None:
    before = snapshot()
    problem = refused(router.post(f"{visitor.path}/migrate", {"version": second}), 409, "migration_refused")
    assert "mail-1" in problem["problems"][0]
    shown = accepted(router.post(f"{visitor.path}/migrate", {"version": second, "dry_run": True}))
    assert (shown["ok"], shown["after"]) == (False, None)
    refused(router.post(f"{visitor.path}/migrate", {"version": 9}), 404, "not_found")
    assert snapshot() == before


def test_a_migrated_conversation_keeps_its_counts_and_goes_on(visitor: Visitor, second: int, router: Actor) -> None:
    accepted(router.post(f"{visitor.path}/migrate", {"version": second, "mapping": {"mail-1": "mail-2"}}))
    assert accepted(router.get(visitor.path))["flow"]["version"] == second
    assert visitor.runtime()["attemptsByNode"]["mail-2"] == 1
    assert heard(visitor.say("no")) == [("mail-2", "RETRY")]
    assert visitor.say("a@example.com")["status"] == "COMPLETE"
    assert_history_holds()


def steps_of(relationship: Relationship) -> list[dict]:
    return [dict(event.content) for event in chain_of(relationship) if event.type in FLOW_EVENTS]


def test_the_fold_of_the_recorded_steps_is_the_stored_run(stuck: str, visitor: Visitor, operator: Actor) -> None:
    accepted(operator.post(f"{stuck}/return", {"grant": {"mail-1": 2}}))
    visitor.say("still no")
    relationship = Relationship.objects.get()
    steps = [step_from_json(step) for turn in steps_of(relationship) for step in turn.get("steps", ())]
    folded = fold(flow_of(relationship), steps)
    assert folded.to_json() == runtime_of(relationship).to_json()
    assert folded.without_log().to_json() == FlowRun.objects.get().state


def test_recorded_turns_decided_again_give_the_same_answers(visitor: Visitor) -> None:
    answers = [visitor.say(), visitor.say("no"), visitor.say("then a@example.com")]
    relationship = Relationship.objects.get()
    flow, state = flow_of(relationship), None
    for recorded, given in zip(steps_of(relationship), answers, strict=True):
        first = step_from_json(recorded["steps"][0])
        facts = {name: each.value for name, each in first.facts.items()} if isinstance(first, Outcome) else {}
        state, answer, _ = advance(flow, state, Reply(recorded["text"], facts))
        again = answer.to_json()
        assert again == {key: given[key] for key in again}
