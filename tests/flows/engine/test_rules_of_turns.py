"""Rows F1 to F12 of semantics.md, each by name: counters, modes, handoff, skip, loop guard, cooldown."""

import pytest

from flows.engine.runner import UnknownNode, resume, wanted_facts
from flows.engine.steps import OperatorAct
from tests.flows.engine.support import Talk, asker, flow, node, policy, teller, two_resting


def test_f1_the_reply_to_a_retry_is_ingested_though_it_executes_nothing():
    talk = Talk(flow(asker()))
    talk.say()
    assert talk.say("not yet") == ["goal-1:RETRY"]
    talk.say("here", goal="run")
    assert talk.state.executions == {"goal-1": 1}
    assert talk.state.attempts == {"goal-1": 2}
    assert talk.status == "COMPLETE"


def test_f2_the_objective_is_the_declared_gates_even_if_a_fact_is_missing():
    either = {"metricsAny": ["mail", "phone"]}
    talk = Talk(flow(asker("ask", ["mail", "phone"], ["EITHER"]), asker(), gates={"EITHER": either}))
    talk.say()
    talk.say(mail="a@b.c")
    assert "DONE" in talk.rules("ask")


def test_f2_without_gates_the_objective_is_every_canonical_fact_it_produces():
    ask = node("ask", produces=["raw", "other"], runPolicy={"maxExecutions": 3}, importance="high")
    talk = Talk(flow(ask, asker(), factAliases={"raw": "clean"}))
    talk.say()
    assert talk.say(raw=1) == ["ask:RETRY"]
    assert talk.say(other=1) == ["goal-1:EXECUTE"]


def test_f2_without_gates_and_facts_the_objective_is_to_have_run():
    talk = Talk(flow(teller(cap=2, importance="high"), asker()))
    assert talk.say() == ["hello-1:EXECUTE", "goal-1:EXECUTE"]
    assert talk.state.states == {"HELLO"}


def test_f3_a_node_with_produces_sets_its_states_on_its_own_turn_once_its_objective_holds():
    ask = asker("ask", ["a"], ["A"], importance="high")
    ask["satisfies"]["states"] = ["ASKED"]
    talk = Talk(flow(ask, asker(), gates={"A": {"metricsAll": ["a"]}}))
    talk.say()
    assert talk.state.states == set()
    talk.say(a=1)
    assert talk.answer.states_produced == ("ASKED",)


def test_f3_states_are_never_set_on_another_nodes_turn():
    both = {"metricsAll": ["a", "b"]}
    first = node("first", produces=["a"], satisfies={"gates": ["BOTH"], "states": ["FIRST"]}, importance="high",
                 retryPolicy=policy(1, "BROADEN"))  # fmt: skip
    second = node("second", produces=["b"], satisfies={"gates": ["BOTH"], "states": ["SECOND"]})
    talk = Talk(flow(first, second, gates={"BOTH": both}, goal="GOAL", postGoalPolicy="STOP"))
    talk.say()
    assert talk.say(a=1) == ["first:BROADEN"]
    talk.say(b=1)
    assert talk.state.states >= {"FIRST"}
    assert "SECOND" not in talk.state.states


def test_f4_counters_move_at_the_decision_before_any_reply():
    talk = Talk(flow(asker()))
    talk.say()
    assert (talk.state.attempts, talk.state.executions) == ({"goal-1": 1}, {"goal-1": 1})
    talk.say()
    assert (talk.state.attempts, talk.state.executions) == ({"goal-1": 2}, {"goal-1": 1})


def test_f4_broaden_counts_an_attempt_and_handoff_and_skip_count_nothing():
    talk = Talk(flow(asker(retryPolicy=policy(1, "BROADEN"))))
    talk.stay_mute(3)
    assert talk.heard == ["goal-1:EXECUTE", "goal-1:BROADEN", "goal-1:HANDOFF"]
    assert (talk.state.attempts, talk.state.executions) == ({"goal-1": 2}, {"goal-1": 1})
    skipping = Talk(flow(asker(retryPolicy=policy(1, "SKIP"))))
    skipping.stay_mute(2)
    assert skipping.state.attempts == {"goal-1": 1}


def test_f5_a_cap_of_one_makes_a_node_ineligible_after_one_execution():
    talk = Talk(flow(asker(runPolicy={"maxExecutions": 1})))
    talk.stay_mute(2)
    assert talk.heard == ["goal-1:EXECUTE"]
    assert (talk.status, talk.rules("goal-1")) == ("DEADLOCK", ["EXEC_CAP"])


def test_f6_a_node_whose_objective_is_met_repeats_only_when_nothing_else_is_eligible():
    chatty = teller(cap=3, importance="high")
    talk = Talk(flow(chatty, asker(runPolicy={"maxExecutions": 1}, importance="low")))
    assert talk.say() == ["hello-1:EXECUTE", "goal-1:EXECUTE"]
    assert talk.say() == ["hello-1:EXECUTE", "hello-1:EXECUTE"]
    assert talk.codes == ["OBJECTIVE_MET"]
    assert talk.status == "DEADLOCK"


def test_f7_clarify_gives_exactly_one_more_retry_and_then_a_handoff():
    talk = Talk(flow(asker(retryPolicy=policy(3, "CLARIFY"))))
    talk.stay_mute(4)
    assert "CLARIFY" in talk.codes
    talk.say()
    assert [line.split(":")[1] for line in talk.heard] == ["EXECUTE", "RETRY", "RETRY", "RETRY", "HANDOFF"]


def test_f8_two_broadening_nodes_and_a_mute_visitor_speak_in_the_documented_order():
    high = asker("A", ["a"], ["A"], importance="high", retryPolicy=policy(2, "BROADEN"))
    normal = asker("B", ["b"], ["B"], retryPolicy=policy(2, "BROADEN"))
    gates = {"A": {"metricsAll": ["a"]}, "B": {"metricsAll": ["b"]}, "GOAL": {"metricsAll": ["a", "b"]}}
    talk = Talk(flow(high, normal, gates=gates))
    talk.stay_mute(7)
    assert talk.heard == [
        "A:EXECUTE", "A:RETRY", "A:BROADEN", "B:EXECUTE", "B:RETRY", "B:BROADEN", "A:HANDOFF",
    ]  # fmt: skip


def test_f8_broaden_reads_the_facts_of_every_eligible_node_for_one_turn():
    first = asker("first", ["a"], ["A"], importance="high", retryPolicy=policy(1, "BROADEN"))
    locked = asker("locked", ["z"], ["GOAL"], requires=["A"])
    gates = {"A": {"metricsAll": ["a"]}, "B": {"metricsAll": ["b"]}}
    talk = Talk(flow(first, asker("other", ["b"], ["B"]), locked, asker(), gates=gates))
    talk.stay_mute(2)
    assert {wanted.name for wanted in wanted_facts(talk.flow, talk.state)} == {"a", "b", "goal"}
    talk.say(b=1, z=1)
    assert (talk.answer.facts_produced, talk.answer.facts_ignored) == (("b",), ("z",))


def handed_off():
    talk = Talk(flow(asker(retryPolicy=policy(2, "HANDOFF")), asker("b-1", ["b"], ["B"], importance="low"),
                     gates={"B": {"metricsAll": ["b"]}, "HANDOFF": {"statesAll": ["HANDOFF_COMPLETE"]}}))  # fmt: skip
    talk.stay_mute(3)
    assert talk.status == "HANDOFF"
    return talk


def test_f9_a_handoff_sets_its_state_and_stays_without_moving_anything():
    talk = handed_off()
    assert "HANDOFF_REQUESTED" in talk.state.states
    assert "HANDOFF" not in talk.state.gates_satisfied
    before = talk.state
    assert talk.say("hello?", goal="too late") == []
    assert (talk.status, talk.answer.facts_ignored) == ("HANDOFF", ("goal",))
    assert talk.state == before


def test_f9_an_operator_resumes_with_facts():
    talk = handed_off()
    talk.take(resume(talk.flow, talk.state, OperatorAct(set_facts={"goal": "run"})))
    assert talk.status == "COMPLETE"
    assert talk.state.facts["goal"].source == "operator"


def test_f9_an_operator_resumes_by_skipping_the_node():
    talk = handed_off()
    assert talk.take(resume(talk.flow, talk.state, OperatorAct(skip=("goal-1",)))) == ["b-1:EXECUTE"]
    assert "SKIPPED" in talk.rules("goal-1")


@pytest.mark.parametrize("on_exhaust", ["HANDOFF", "CLARIFY", "BROADEN"])
def test_f9_an_operator_grants_exactly_k_more_attempts(on_exhaust):
    talk = Talk(flow(asker(retryPolicy=policy(2, on_exhaust))))
    while not talk.answer or talk.status != "HANDOFF":
        talk.say()
    talk.heard.clear()
    talk.take(resume(talk.flow, talk.state, OperatorAct(grant={"goal-1": 2})))
    talk.stay_mute(2)
    assert talk.heard == ["goal-1:RETRY", "goal-1:RETRY", "goal-1:HANDOFF"]


def test_f9_a_grant_after_the_loop_guard_is_worth_its_attempts():
    talk = Talk(flow(asker(retryPolicy=policy(20, "HANDOFF"))))
    talk.stay_mute(10)
    assert talk.status == "HANDOFF"
    assert talk.take(resume(talk.flow, talk.state, OperatorAct(grant={"goal-1": 1}))) == ["goal-1:RETRY"]


def test_f9_resuming_with_an_unknown_node_is_refused():
    talk = handed_off()
    with pytest.raises(UnknownNode) as refusal:
        resume(talk.flow, talk.state, OperatorAct(skip=("nobody",)))
    assert refusal.value.node_ids == ("nobody",)


def test_f10_a_skip_is_resolved_inside_one_decision_and_only_logged():
    skipping = asker("skip-1", ["a"], ["A"], importance="high", retryPolicy=policy(1, "SKIP"))
    talk = Talk(flow(skipping, asker(), gates={"A": {"metricsAll": ["a"]}}))
    talk.say()
    assert talk.say() == ["goal-1:EXECUTE"]
    assert "AFTER_SKIP" in talk.codes
    assert [(e.turn_index, e.node_id, e.mode) for e in talk.state.turn_log] == [
        (1, "skip-1", "EXECUTE"), (2, "skip-1", "SKIP"), (2, "goal-1", "EXECUTE"),
    ]  # fmt: skip


def test_f10_skipping_the_last_candidate_is_a_deadlock():
    talk = Talk(flow(asker(retryPolicy=policy(1, "SKIP"))))
    talk.stay_mute(2)
    assert (talk.status, talk.heard) == ("DEADLOCK", ["goal-1:EXECUTE"])
    assert talk.rules("goal-1") == ["SKIPPED"]
    assert talk.state.skipped == {"goal-1"}


def test_f10_the_cooldown_waiver_is_formed_anew_after_a_skip():
    skipping = asker("skip-1", ["a"], ["A"], retryPolicy=policy(1, "SKIP"), importance="high")
    resting = asker(retryPolicy=policy(3, "HANDOFF", cooldownTurns=5), importance="high")
    blocked = asker("c-1", ["c"], ["C"], requires=["A"])
    gates = {"A": {"metricsAll": ["a"]}, "C": {"metricsAll": ["c"]}}
    talk = Talk(flow(skipping, resting, blocked, gates=gates))
    assert talk.stay_mute(3) == ["skip-1:EXECUTE", "goal-1:EXECUTE", "goal-1:RETRY"]
    assert {"COOLDOWN_WAIVED", "AFTER_SKIP"} <= set(talk.codes)


@pytest.mark.parametrize(
    ("on_exhaust", "forced"), [("HANDOFF", "HANDOFF"), ("BROADEN", "BROADEN"), ("SKIP", "HANDOFF")]
)
def test_f11_the_tenth_consecutive_selection_is_forced(on_exhaust, forced):
    talk = Talk(flow(asker(retryPolicy=policy(30, on_exhaust))))
    talk.stay_mute(10)
    assert talk.heard == ["goal-1:EXECUTE", *["goal-1:RETRY"] * 8, f"goal-1:{forced}"]
    assert talk.codes == ["LOOP_GUARD"]


def test_f11_a_used_broaden_becomes_a_handoff():
    talk = Talk(flow(asker(retryPolicy=policy(30, "BROADEN"))))
    talk.stay_mute(11)
    assert talk.heard[-2:] == ["goal-1:BROADEN", "goal-1:HANDOFF"]


def test_f11_the_cap_comes_from_the_policy():
    talk = Talk(flow(asker(retryPolicy=policy(30, "HANDOFF"))), consecutive_cap=4)
    assert talk.stay_mute(4)[-1] == "goal-1:HANDOFF"


def test_f12_a_node_attempted_at_turn_t_is_a_candidate_again_from_t_plus_c_plus_1():
    talk = Talk(two_resting(2))
    assert talk.stay_mute(5) == ["A:EXECUTE", "goal-1:EXECUTE", "goal-1:RETRY", "A:RETRY", "goal-1:RETRY"]
    assert talk.rules("A") == ["COOLING"]


def test_f12_the_cooldown_is_waived_and_logged_when_every_eligible_node_is_cooling():
    talk = Talk(flow(asker(retryPolicy=policy(3, "HANDOFF", cooldownTurns=7))))
    assert talk.stay_mute(2) == ["goal-1:EXECUTE", "goal-1:RETRY"]
    assert "COOLDOWN_WAIVED" in talk.codes
