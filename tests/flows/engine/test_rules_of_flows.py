"""Rows F13 to F23 of semantics.md, each by name: order, prompts, gates, aliases, goal, scope, versions, figures."""

from dataclasses import replace
from fractions import Fraction

import pytest

from flows.engine.compiled import compile_flow, load
from flows.engine.diff import content_hash
from flows.engine.figures import Run, conversation_figures, flow_figures
from flows.engine.findings import FlowNotLoadable
from flows.engine.migration import plan_migration
from flows.engine.parsing import parse
from flows.engine.runner import change_facts
from flows.engine.runtime import Status
from flows.engine.steps import OperatorAct
from tests.flows.engine.support import Talk, asker, flow, node, policy, teller, two_resting


def test_f13_importance_then_attempts_then_position_decide():
    gates = {name: {"metricsAll": [name.lower()]} for name in "ABC"}
    document = flow(
        asker("low", ["a"], ["A"], importance="low"),
        asker("first", ["b"], ["B"]),
        asker("second", ["c"], ["C"]),
        asker("top", importance="high", runPolicy={"maxExecutions": 1}),
        gates=gates,
    )
    talk = Talk(document)
    assert talk.stay_mute(4) == ["top:EXECUTE", "first:EXECUTE", "second:EXECUTE", "first:RETRY"]


def test_f13_shuffled_storage_gives_the_same_decision():
    document = two_resting(2)
    definition = parse(document).definition
    shuffled = replace(definition, nodes=tuple(reversed(definition.nodes)))
    talk, other = Talk(document), Talk(document)
    other.flow = compile_flow(shuffled)
    assert talk.stay_mute(8) == other.stay_mute(8)


@pytest.mark.parametrize(
    ("strategy", "texts", "directive"),
    [("ROTATE", ["one", "two", "one", "two"], None), ("ESCALATE", ["one", "two", "two", "two"], None),
     ("REPHRASE", ["one", "one", "one", "one"], "rephrase")],
)  # fmt: skip
def test_f14_the_prompt_variant_follows_the_attempts_before_the_decision(strategy, texts, directive):
    retry = policy(9, "HANDOFF", promptVariantStrategy=strategy)
    talk = Talk(flow(asker(prompts=["one", "two"], retryPolicy=retry)))
    said = []
    for _ in texts:
        talk.say()
        said.append(talk.answer.to_json()["decisions"][0])
    assert [each["prompt"] for each in said] == texts
    assert [each["directive"] for each in said] == [None, directive, directive, directive]


@pytest.mark.parametrize(
    ("rule", "satisfied"),
    [({}, True), ({"metricsAll": []}, True), ({"metricsAny": []}, False), ({"statesAll": []}, True)],
)
def test_f15_absent_and_empty_rules_of_a_gate(rule, satisfied):
    talk = Talk(flow(asker(), gates={"ODD": rule}))
    talk.say()
    assert ("ODD" in talk.answer.gates_satisfied) is satisfied


def test_f15_an_empty_list_of_gates_is_done_after_one_execution_and_a_cap_of_zero_never_runs():
    once = node("once", produces=["a"], satisfies={"gates": []}, importance="high")
    never = teller("never", cap=0)
    talk = Talk(flow(once, never, asker()))
    talk.say()
    talk.say()
    assert talk.heard == ["once:EXECUTE", "goal-1:EXECUTE"]
    assert (talk.rules("once"), talk.rules("never")) == (["DONE"], ["EXEC_CAP"])


def test_f15_a_removed_fact_reopens_its_gate_and_the_next_decision_logs_it():
    talk = Talk(flow(asker("a-1", ["a"], ["A"], importance="high"), asker(), gates={"A": {"metricsAll": ["a"]}}))
    talk.say()
    talk.say(a=1)
    assert talk.answer.gates_satisfied == ("A",)
    changed = change_facts(talk.flow, talk.state, OperatorAct(remove_facts=("a",)))
    assert (changed.gates_gained, changed.gates_lost) == ((), ("A",))
    talk.state = changed.state
    assert talk.say() == ["a-1:RETRY"]
    assert talk.answer.gates_lost == ("A",)
    assert talk.state.turn_log[-1].gates_lost == ("A",)
    talk.say()
    assert talk.answer.gates_lost == ()


def test_f17_aliases_are_followed_once():
    aliases = {"raw": "middle", "middle": "goal"}
    talk = Talk(flow(asker(produces=["raw"]), factAliases=aliases))
    talk.say()
    talk.say(raw=1)
    assert (set(talk.state.facts), talk.status) == ({"middle"}, "OK")


def test_f17_a_nodes_retry_policy_replaces_the_default_as_a_whole():
    defaults = {"retryPolicy": policy(1, "SKIP")}
    talk = Talk(flow(asker(retryPolicy={"maxAttempts": 2}), defaults=defaults))
    assert talk.stay_mute(3)[-1] == "goal-1:HANDOFF"
    inheriting = Talk(flow(asker(), defaults=defaults))
    inheriting.stay_mute(2)
    assert inheriting.status == "DEADLOCK"
    built_in = Talk(flow(asker()))
    assert built_in.stay_mute(4)[-1] == "goal-1:HANDOFF"


def test_f18_stop_ends_at_the_goal_and_continue_high_runs_important_nodes_once():
    thanks = node("thanks", produces=["rating"], importance="high", requires=["GOAL"], satisfies={"gates": ["R"]})
    gates = {"R": {"metricsAll": ["rating"]}}
    stopping = Talk(flow(asker(), thanks, gates=gates))
    stopping.say()
    stopping.say(goal=1)
    assert stopping.status == "COMPLETE"
    going_on = Talk(flow(asker(), thanks, gates=gates, postGoalPolicy="CONTINUE_HIGH"))
    going_on.say()
    assert going_on.say(goal=1) == ["thanks:EXECUTE"]
    assert going_on.status == "POST_GOAL"
    assert going_on.say("no rating") == []
    assert going_on.status == "COMPLETE"


def test_f19_a_deadlock_lists_every_failing_rule_of_every_node():
    capped = asker("capped", ["a"], ["A"], runPolicy={"maxExecutions": 1}, requires=["OPEN"])
    blocked = node("blocked", requires=["GOAL", "B"], requiresStates=["NEVER"], runPolicy={"maxExecutions": 0})
    skipped = asker("skipped", ["b"], ["B"], retryPolicy=policy(1, "SKIP"))
    done = asker("done", ["c"], ["OPEN"], runPolicy={"maxExecutions": 1})
    gates = {"A": {"metricsAll": ["a"]}, "B": {"metricsAll": ["b"]}, "OPEN": {}}
    talk = Talk(flow(capped, blocked, skipped, done, gates=gates))
    talk.stay_mute(4)
    assert talk.status == "DEADLOCK"
    assert talk.answer.why_not == {
        "capped": [{"rule": "EXEC_CAP", "missing": []}],
        "blocked": [
            {"rule": "EXEC_CAP", "missing": []},
            {"rule": "MISSING_GATES", "missing": ["B", "GOAL"]},
            {"rule": "MISSING_STATES", "missing": ["NEVER"]},
        ],
        "skipped": [{"rule": "SKIPPED", "missing": []}],
        "done": [{"rule": "EXEC_CAP", "missing": []}, {"rule": "DONE", "missing": []}],
    }


def test_f20_nodes_without_produces_need_no_reply_and_each_decision_is_a_turn():
    talk = Talk(flow(teller("t1", importance="high"), teller("t2", importance="high"), asker()))
    assert talk.say() == ["t1:EXECUTE", "t2:EXECUTE", "goal-1:EXECUTE"]
    assert [spoken.decision.turn_index for spoken in talk.answer.spoken] == [1, 2, 3]


def test_f20_at_most_n_decisions_are_made_per_message():
    talk = Talk(flow(teller("t1", cap=5), teller("t2", cap=5), goal="GOAL"))
    assert len(talk.say()) == 2
    assert talk.status == "OK"


def test_f20_finding_the_end_is_a_status_and_no_decision():
    document = flow(teller(), gates={"SAID": {"statesAll": ["HELLO"]}}, goal="SAID")
    talk = Talk(document)
    assert talk.say() == ["hello-1:EXECUTE"]
    assert (talk.status, talk.state.turn_index) == ("COMPLETE", 1)


def test_f20_facts_outside_the_scope_are_ignored_and_logged():
    talk = Talk(flow(asker(), asker("b-1", ["b"], ["B"]), gates={"B": {"metricsAll": ["b"]}}))
    talk.say("hi", goal="too early")
    assert talk.answer.facts_ignored == ("goal",)
    talk.say(b=1)
    assert (talk.answer.facts_produced, talk.answer.facts_ignored) == ((), ("b",))
    assert talk.state.turn_log[0].facts_ignored == ("b",)


def test_f21_the_content_hash_does_not_depend_on_the_order_of_keys():
    document = flow(asker())
    turned = dict(reversed(document.items()))
    assert content_hash(document) == content_hash(turned)
    assert content_hash(document) != content_hash({**document, "name": "other"})


def test_f21_migration_is_refused_unless_every_counted_node_is_kept_or_mapped():
    talk = Talk(flow(asker("old-1")))
    talk.say()
    new = load(flow(asker("new-1")))
    refused = plan_migration(talk.state, talk.flow, new, {})
    assert refused.state is None
    assert "old-1" in refused.problems[0]
    moved = plan_migration(talk.state, talk.flow, new, {"old-1": "new-1"})
    assert (moved.before.node_id, moved.after.node_id) == ("old-1", "new-1")
    assert moved.state.attempts == {"new-1": 1}
    talk.flow, talk.state = new, moved.state
    talk.say(goal=1)
    assert talk.status == "COMPLETE"


def test_f21_a_reply_that_is_under_way_answers_what_the_new_version_asks():
    ask = asker("ask", ["colour"], ["C"])
    talk = Talk(flow(ask, gates={"C": {"metricsAll": ["colour"]}}, goal="C"))
    talk.say()
    ask_other = asker("ask", ["size"], ["S"])
    ask_other["satisfies"]["states"] = ["ASKED"]
    new = load(flow(ask_other, gates={"S": {"metricsAll": ["size"]}}, goal="S"))
    talk.flow, talk.state = new, plan_migration(talk.state, talk.flow, new, {}).state
    talk.say(colour="red", size="L")
    assert (talk.answer.facts_produced, talk.answer.facts_ignored) == (("size",), ("colour",))
    assert talk.status == "COMPLETE"


def test_f21_two_nodes_are_never_migrated_onto_one():
    talk = Talk(flow(teller(importance="high"), asker()))
    talk.say()
    plan = plan_migration(talk.state, talk.flow, load(flow(asker())), {"hello-1": "goal-1"})
    assert plan.state is None
    assert "both become" in plan.problems[0]


def test_f22_rates_have_the_documented_denominators():
    complete, handed, open_ = Talk(flow(asker())), Talk(flow(asker())), Talk(flow(asker()))
    complete.say()
    complete.say(goal=1)
    handed.stay_mute(4)
    open_.say()
    runs = [
        Run(complete.status, True, complete.state.turn_log),
        Run(handed.status, True, handed.state.turn_log),
        Run(open_.status, False, open_.state.turn_log),
    ]
    figures = flow_figures(runs)
    assert figures.completion_rate == Fraction(1, 2)
    assert figures.handoff_rate == Fraction(1, 3)
    assert figures.attempts_per_node == {"goal-1": Fraction(1 + 3 + 1, 3)}
    assert flow_figures([]).completion_rate is None


def test_f22_one_conversation_counts_turns_modes_attempts_and_when_each_gate_opened():
    first = asker("a-1", ["a"], ["A"], importance="high", retryPolicy=policy(2, "SKIP"))
    talk = Talk(
        flow(teller(importance="high"), first, asker(), gates={"A": {"metricsAll": ["a"]}, "B": {"metricsAll": ["b"]}})
    )
    talk.stay_mute(3)
    changed = change_facts(talk.flow, talk.state, OperatorAct(set_facts={"b": 1}))
    talk.state = changed.state
    talk.say(goal=1)
    figures = conversation_figures(talk.state.turn_log)
    assert talk.heard == ["hello-1:EXECUTE", "a-1:EXECUTE", "a-1:RETRY", "goal-1:EXECUTE"]
    assert (figures.turns, figures.executed, figures.retried, figures.handoffs) == (4, 3, 1, 0)
    assert figures.attempts_by_node == {"hello-1": 1, "a-1": 2, "goal-1": 1}
    assert figures.gates == {"B": 4, "GOAL": 4}


def test_f22_a_flow_ranks_its_nodes_and_gates_over_all_conversations():
    mute, quick = Talk(flow(asker())), Talk(flow(asker()))
    mute.stay_mute(4)
    quick.say()
    quick.say(goal=1)
    runs = [Run(each.status, True, each.state.turn_log) for each in (mute, quick)]
    figures = flow_figures(runs)
    assert figures.average_turns == Fraction(4 + 1, 2)
    assert (figures.retries_by_node, figures.handoffs_by_node) == ({"goal-1": 2}, {"goal-1": 1})
    assert (figures.gates_satisfied, figures.deadlocks) == ({"GOAL": 1}, 0)


def test_f23_loading_a_flow_with_an_undefined_gate_raises_before_any_decision():
    with pytest.raises(FlowNotLoadable) as refusal:
        load(flow(asker(requires=["NOWHERE"])))
    assert [(f.code, f.path) for f in refusal.value.findings] == [("undefined_gate", "/nodes/0/requires/0")]


def test_skip_if_satisfied_leaves_out_a_node_whose_gates_are_open_though_it_never_ran():
    gates = {"A": {"metricsAny": ["a", "b"]}}
    first = asker("first", ["a"], ["A"], importance="high")
    second = asker("second", ["b"], ["A"], skipIfSatisfied=True)
    talk = Talk(flow(first, second, asker(importance="low"), gates=gates))
    talk.say()
    assert talk.say(a=1) == ["goal-1:EXECUTE"]
    assert talk.rules("second") == ["DONE"]
    assert talk.status is Status.OK
