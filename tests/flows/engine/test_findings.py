"""Every finding code of semantics.md, with its level and the place it points at."""

import pytest

from flows.engine.compiled import load
from flows.engine.findings import Code
from flows.engine.happy import happy_path
from flows.engine.validation import validate
from tests.flows.engine.support import asker, flow, node, policy, teller

A = {"A": {"metricsAll": ["a"]}}


def found(document, code):
    return [(f.level.value, f.path, f.node) for f in validate(document).findings if f.code == code]


CASES = {
    "undefined_gate": (flow(asker(requires=["X"])), ("error", "/nodes/0/requires/0", "goal-1")),
    "undefined_state": (flow(asker(requiresStates=["X"])), ("error", "/nodes/0/requiresStates/0", "goal-1")),
    "duplicate_id": (flow(asker(), asker()), ("error", "/nodes/0/id", "goal-1")),
    "alias_chain": (
        flow(asker(), factAliases={"x": "y", "y": "goal"}),
        ("error", "/factAliases/x", None),
    ),
    "raw_name_in_gate": (
        flow(asker(), factAliases={"goal": "aim"}),
        ("error", "/gateDefinitions/GOAL/satisfiedBy/metricsAll/0", None),
    ),
    "alias_target_unused": (flow(asker(), factAliases={"x": "y"}), ("warning", "/factAliases/x", None)),
    "goal_unreachable": (flow(teller()), ("error", "/primaryGoal", None)),
    "node_never_eligible": (
        flow(asker(), asker("b-1", ["a"], ["A"], requires=["A"]), gates=A),
        ("error", "/nodes/1", "b-1"),
    ),
    "gate_unsatisfiable": (flow(asker(), gates=A), ("warning", "/gateDefinitions/A", None)),
    "fact_never_produced": (
        flow(asker(), gates=A),
        ("error", "/gateDefinitions/A/satisfiedBy/metricsAll/0", None),
    ),
    "fact_unused": (flow(asker(produces=["goal", "b"])), ("info", "/nodes/0/produces/1", "goal-1")),
    "unbounded_node": (flow(node("free", produces=["goal"])), ("error", "/nodes/0", "free")),
    "retry_dead": (
        flow(asker(runPolicy={"maxExecutions": 1})),
        ("warning", "/nodes/0/runPolicy/maxExecutions", "goal-1"),
    ),
    "dead_cooldown": (
        flow(asker(retryPolicy=policy(3, "HANDOFF", cooldownTurns=2))),
        ("warning", "/nodes/0/retryPolicy/cooldownTurns", "goal-1"),
    ),
    "loop_guard_unreachable": (
        flow(asker(retryPolicy=policy(12, "HANDOFF", cooldownTurns=1)), teller()),
        ("warning", "/nodes/0/retryPolicy/cooldownTurns", "goal-1"),
    ),
    "empty_list": (
        flow(asker(), gates={"E": {"metricsAny": []}}),
        ("warning", "/gateDefinitions/E/satisfiedBy/metricsAny", None),
    ),
    "cannot_help_gate": (
        flow(asker(), asker("b-1", ["a"], ["GOAL"]), gates=A),
        ("warning", "/nodes/1/satisfies/gates/0", "b-1"),
    ),
    "critical_node": (flow(asker()), ("info", "/nodes/0", "goal-1")),
    "critical_skip": (
        flow(asker(retryPolicy=policy(2, "SKIP"))),
        ("warning", "/nodes/0/retryPolicy/onExhaust", "goal-1"),
    ),
    "invalid_document": ({**flow(asker()), "colour": "red"}, ("error", "/colour", None)),
}


def test_every_finding_code_has_a_case():
    assert set(CASES) == {code.value for code in Code}


@pytest.mark.parametrize("code", CASES)
def test_the_finding_is_reported_with_its_level_place_and_node(code):
    document, expected = CASES[code]
    assert expected in found(document, code)


@pytest.mark.parametrize("code", [code for code in CASES if code != "critical_node"])
def test_a_sound_flow_has_no_such_finding(code):
    sound = flow(teller(importance="high"), asker(prompts=["What is your goal?"]))
    assert found(sound, code) == []


def test_every_finding_carries_a_message_and_a_suggestion():
    for document, _ in CASES.values():
        for finding in validate(document).findings:
            assert str(finding.message)
            assert str(finding.suggestion)


@pytest.mark.parametrize("code", sorted(CASES))
def test_errors_and_nothing_else_forbid_publishing(code):
    document, (level, _, _) = CASES[code]
    if level == "error":
        assert validate(document).ok is False
    report = validate(document)
    assert report.ok is all(finding.level != "error" for finding in report.findings)


def test_an_undefined_goal_gate_or_state_is_an_error():
    assert found(flow(asker(), goal="X"), "undefined_gate") == [("error", "/primaryGoal/gate", None)]
    by_state = {**flow(asker()), "primaryGoal": {"type": "STATE", "state": "X"}}
    assert found(by_state, "undefined_state") == [("error", "/primaryGoal/state", None)]


def test_the_state_of_a_handoff_is_known_without_a_node_that_sets_it():
    document = flow(asker(), teller("sorry-1", requiresStates=["HANDOFF_REQUESTED"]))
    assert validate(document).ok


def test_one_of_several_ways_to_the_goal_is_not_critical():
    either = {"GOAL": {"metricsAny": ["goal", "a"]}}
    document = flow(asker(), asker("b-1", ["a"], ["GOAL"]), teller(), gates=either)
    assert validate(document).critical_nodes == ()
    both = flow(asker(), asker("b-1", ["a"], ["GOAL"]), gates={"GOAL": {"metricsAll": ["goal", "a"]}})
    assert validate(both).critical_nodes == ("goal-1", "b-1")


def test_a_state_that_waits_for_its_own_gate_is_unreachable():
    circular = node("c-1", produces=["a"], satisfies={"gates": ["GOAL"], "states": ["S"]})
    document = flow(circular, gates={"GOAL": {"statesAll": ["S"], "metricsAll": ["a"]}})
    assert ("error", "/primaryGoal", None) in found(document, "goal_unreachable")


PUSHY = asker("pushy", ["a"], ["GOAL"], importance="high", retryPolicy=policy(2, "HANDOFF"))


def test_a_goal_that_the_order_of_nodes_keeps_everybody_from_is_an_error_though_the_fixed_point_sees_a_way():
    document = flow(PUSHY, asker("late", ["goal"], ["LATE"]), gates={
        "GOAL": {"metricsAll": ["a", "goal"]}, "LATE": {"metricsAll": ["goal"]}})  # fmt: skip
    report = validate(document)
    assert found(document, "goal_unreachable") == [("error", "/primaryGoal", "pushy")]
    assert (report.ok, report.happy_path) == (False, ())


def test_a_cooperative_visitor_who_is_stranded_where_others_arrive_is_a_warning():
    first = asker("first", ["b"], ["B"], importance="high", retryPolicy=policy(1, "SKIP"))
    document = flow(first, {**PUSHY, "requires": ["B"]}, asker(), gates={"B": {"metricsAll": ["b"]}})
    report = validate(document)
    assert found(document, "goal_unreachable") == [("warning", "/primaryGoal", "pushy")]
    assert (report.ok, report.happy_path) == (True, ())


def test_turn_bound_and_worst_wait_follow_the_formula():
    document = flow(
        teller(cap=2),  # E=2
        asker(retryPolicy=policy(3, "CLARIFY")),  # E=1 R=2 X=1
        asker("b-1", ["a"], ["A"], importance="high", runPolicy={"maxExecutions": 1}),  # E=1
        node("c-1", produces=["c"], runPolicy={"maxExecutions": 4}, retryPolicy=policy(2, "HANDOFF")),  # E=4 R=1
        gates=A,
    )
    report = validate(document)
    assert report.turn_bound == 1 + 2 + 4 + 1 + 5
    assert report.worst_wait == {"b-1": 0, "hello-1": 1, "goal-1": 3, "c-1": 7}
    assert report.happy_path == ("b-1", "hello-1", "goal-1")


def test_an_unbounded_node_leaves_no_turn_bound():
    report = validate(flow(node("free", produces=["x"]), asker()))
    assert report.turn_bound is None
    assert report.worst_wait == {"free": 0, "goal-1": None}


def test_the_report_has_the_contracts_shape():
    assert set(validate(flow(asker())).to_json()) == {
        "ok", "findings", "turn_bound", "happy_path", "critical_nodes", "worst_wait",
    }  # fmt: skip
    assert set(validate(flow(asker())).to_json()["findings"][0]) == {
        "level", "code", "path", "node", "message", "suggestion",
    }  # fmt: skip


def test_a_chain_of_two_thousand_nodes_is_judged_whole():
    gates = {f"G{n}": {"metricsAll": [f"f{n}"]} for n in range(2_000)}
    chain = [asker(f"n{n}", [f"f{n}"], [f"G{n}"], requires=[f"G{n - 1}"] if n else []) for n in range(2_000)]
    report = validate(flow(*chain, gates={**gates, "GOAL": {"metricsAll": ["f1999"]}}))
    assert report.ok
    assert len(report.critical_nodes) == len(report.happy_path) == 2_000


def test_nodes_that_only_tell_and_never_end_are_judged_in_bounded_time():
    document = flow(*[{"id": f"n{place}"} for place in range(100)])
    assert len(happy_path(load(document)).node_ids) <= 10 * 101 + 100
    assert "unbounded_node" in {finding.code for finding in validate(document).findings}


def test_a_goal_that_demands_nothing_is_warned_about_unless_the_flow_goes_on_after_it():
    document = flow(teller(), gates={"GOAL": {}})
    assert found(document, "empty_list") == [("warning", "/gateDefinitions/GOAL/satisfiedBy", None)]
    assert found({**document, "postGoalPolicy": "CONTINUE_HIGH"}, "empty_list") == []
