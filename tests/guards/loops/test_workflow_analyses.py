"""Progress, completion, fulfilment, dependencies: every figure is computed from the steps."""

from __future__ import annotations

from dataclasses import replace

from guards.loops.config import DEFAULT_CONFIG
from guards.loops.dependencies import analyze_dependencies
from guards.loops.fulfillment_analysis import (
    analyze_fulfillment,
    calculate_fulfillment_score,
    identify_missing_elements,
    suggest_improvements,
)
from guards.loops.response_processing import AgentResponse
from guards.loops.workflow import OPERATIONS, OTHERS, RECENT, WorkflowState, WorkflowStep, state_after
from guards.loops.workflow_analysis import (
    Phase,
    analyze_progress,
    is_workflow_complete,
    suggest_next_steps,
)

REQUEST = "Find the cheapest flight from Boston to Denver on 2024-05-17 and tell me when it departs"
HALF = "Found twelve flights from Boston to Denver."
WHOLE = "The cheapest flight from Boston to Denver on 2024-05-17 departs at 14:20."


def test_an_answer_to_everything_fulfils_and_half_an_answer_does_not() -> None:
    whole = analyze_fulfillment(REQUEST, AgentResponse(WHOLE))
    half = analyze_fulfillment(REQUEST, AgentResponse(HALF))
    assert whole.is_fulfilled
    assert not half.is_fulfilled
    assert half.score < whole.score
    assert half.completeness < whole.completeness
    assert "when" in {missing.element for missing in half.missing_elements}
    assert "cheapest" in {missing.element for missing in half.missing_elements}


def test_an_error_or_silence_never_fulfils_whatever_it_mentions() -> None:
    failed = analyze_fulfillment(REQUEST, AgentResponse(WHOLE, error="timeout"))
    silent = analyze_fulfillment(REQUEST, AgentResponse("  "))
    assert (failed.is_fulfilled, silent.is_fulfilled, silent.score) == (False, False, 0.0)
    assert {issue.kind for issue in silent.quality_issues} == {"empty"}


def test_refusing_and_hedging_cost_accuracy() -> None:
    plain = analyze_fulfillment(REQUEST, AgentResponse(WHOLE))
    refused = analyze_fulfillment(REQUEST, AgentResponse(f"Unfortunately {WHOLE}"))
    hedged = analyze_fulfillment(REQUEST, AgentResponse(f"{WHOLE} Or maybe not, I think it might be later."))
    assert refused.accuracy < hedged.accuracy < plain.accuracy


def test_an_answer_about_something_else_is_irrelevant() -> None:
    assert analyze_fulfillment(REQUEST, AgentResponse("Bananas are yellow. Grass is green.")).relevance == 0.0


def test_the_score_carries_its_confidence() -> None:
    vague = calculate_fulfillment_score("go", AgentResponse("gone"))
    exact = calculate_fulfillment_score(REQUEST, AgentResponse(WHOLE))
    assert vague.confidence < exact.confidence < 1.0
    assert exact.user_satisfaction == exact.overall


def test_missing_elements_come_with_suggestions() -> None:
    missing = identify_missing_elements(REQUEST, AgentResponse(HALF))
    assert [m.importance for m in missing] == sorted((m.importance for m in missing), reverse=True)
    suggestions = suggest_improvements(analyze_fulfillment(REQUEST, AgentResponse(HALF)))
    assert len(suggestions) == len(missing)
    assert suggestions[0].expected_gain > 0


def test_progress_follows_what_the_answers_cover() -> None:
    begun = WorkflowState(original_request=REQUEST)
    first = begun.after(WorkflowStep("search", {"from": "BOS"}, HALF, seconds=4.0))
    second = first.after(WorkflowStep("compare", {}, WHOLE, seconds=2.0))
    stages = [analyze_progress(state) for state in (begun, first, second)]
    assert [s.current_phase for s in stages] == [Phase.PLANNING, Phase.EXECUTION, Phase.COMPLETION]
    assert stages[0].completion_percentage == 0.0 < stages[1].completion_percentage < 100.0
    assert stages[2].completion_percentage == 100.0
    assert stages[0].remaining_steps == 10 > stages[1].remaining_steps > stages[2].remaining_steps == 0
    assert stages[1].estimated_time_remaining == 4.0 * stages[1].remaining_steps


def test_checking_the_work_is_validation() -> None:
    state = state_after(REQUEST, [WorkflowStep("search", {}, HALF), WorkflowStep("verify_price", {}, "Fine.")])
    assert analyze_progress(state).current_phase is Phase.VALIDATION


def test_without_a_request_progress_is_counted_in_productive_steps() -> None:
    state = state_after("", [WorkflowStep("a", {}, "done."), WorkflowStep("b", {}, None, error="no")])
    assert analyze_progress(state).completion_percentage == 10.0


def test_a_failing_and_a_slow_operation_are_bottlenecks() -> None:
    steps = [WorkflowStep("pay", {}, None, error="no", seconds=1.0)] * 2
    steps += [WorkflowStep("crawl", {}, "ok.", seconds=60.0), WorkflowStep("note", {}, "ok.", seconds=1.0)]
    found = analyze_progress(state_after(REQUEST, steps)).bottlenecks
    assert {b.operation for b in found} == {"pay", "crawl"}
    untracked = replace(DEFAULT_CONFIG, progress_tracking_enabled=False)
    assert analyze_progress(state_after(REQUEST, steps), untracked).bottlenecks == ()


def test_completion_weighs_quality_too() -> None:
    failures = [WorkflowStep("x", {"n": n}, None, error="no") for n in range(4)]
    clean = is_workflow_complete(state_after(REQUEST, [WorkflowStep("x", {}, WHOLE)]))
    rough = is_workflow_complete(state_after(REQUEST, [*failures, WorkflowStep("x", {}, WHOLE)]))
    assert clean.is_complete
    assert not rough.is_complete
    assert rough.completion_score == clean.completion_score
    assert rough.quality_score < clean.quality_score
    assert rough.user_satisfaction < clean.user_satisfaction


def test_the_next_step_mends_the_last_one_first() -> None:
    cut = state_after(REQUEST, [WorkflowStep("list", {}, "and then...", truncated=True)])
    failed = state_after(REQUEST, [WorkflowStep("list", {}, None, error="no")])
    done = state_after(REQUEST, [WorkflowStep("list", {}, WHOLE)])
    assert "broke off" in suggest_next_steps(cut)[0].reason
    assert "failed" in suggest_next_steps(failed)[0].reason
    assert [s.operation for s in suggest_next_steps(done)] == ["finish"]


def test_a_step_depends_on_the_one_whose_answer_it_quotes() -> None:
    steps = [
        WorkflowStep("get_user", {"name": "Noah"}, "user noah_muller has reservation 4OG6T3"),
        WorkflowStep("get_reservation", {"id": "4OG6T3"}, "flight HAT082 in economy"),
        WorkflowStep("weather", {"city": "Denver"}, "sunny"),
        WorkflowStep("get_flight", {"number": "HAT082"}, "on time"),
    ]
    analysis = analyze_dependencies(steps)
    assert [(d.step, d.depends_on) for d in analysis.dependencies] == [(1, (0,)), (3, (1,))]
    assert (analysis.independent, analysis.longest_chain) == ((0, 2), 3)


def test_the_state_of_a_long_run_stays_small() -> None:
    state = state_after(REQUEST, [WorkflowStep(f"op{n}", {"n": n}, "x" * 10_000) for n in range(300)])
    assert (state.taken, len(state.recent)) == (300, RECENT)
    assert len(state.operations) == OPERATIONS + 1
    assert state.operations[OTHERS].steps == 300 - OPERATIONS
    assert WorkflowState.from_json(state.to_json()) == state
