"""The unit tests seed 003 writes out, and the order of decisions it fixes (L1-L4b)."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from guards.loops.config import DEFAULT_CONFIG, config_from
from guards.loops.findings import LoopAction, LoopType
from guards.loops.loop_detection import (
    WorkflowContext,
    analyze_workflow,
    detect_infinite_loop,
    should_continue,
)
from guards.loops.response_processing import MARK, TruncationAction, detect_truncation
from guards.loops.review import StepReview, WorkflowRun, review_step
from guards.loops.workflow import WorkflowStep

CALENDAR = (
    "Here are your calendar events:\n\n1. **Walk Dog**\n   - **Time:** 7:00 AM - 9:00 AM PDT\n"
    "   - [Event Link](https://www.google.com/calendar/event?eid=MmJtc2xoZXU5cmxhNHFvdmlyaGdiMGNl"
)


def run_of(steps: list[WorkflowStep], config=DEFAULT_CONFIG, request: str = "") -> list[StepReview]:
    run, reviews = WorkflowRun(), []
    for step in steps:
        run, review = review_step(run, step, config, original_request=request)
        run = WorkflowRun.from_json(json.loads(json.dumps(run.to_json())))
        reviews.append(review)
    return reviews


def test_infinite_loops_are_detected() -> None:
    executed = (WorkflowStep("list", response="partial"),) * 3
    decision = should_continue(WorkflowStep("list"), WorkflowContext(executed))
    assert (decision.should_continue, decision.next_action) == (False, LoopAction.STOP)
    assert detect_infinite_loop(executed).loop_type is LoopType.INFINITE


def test_redundant_steps_are_detected() -> None:
    executed = (WorkflowStep("list", {"date": "2025-09-26"}),) * 2
    decision = should_continue(WorkflowStep("list"), WorkflowContext(executed))
    assert (decision.should_continue, decision.next_action) == (False, LoopAction.SKIP)
    assert not detect_infinite_loop(executed).has_loop
    assert analyze_workflow(executed).loop_type is LoopType.REDUNDANT


def test_a_cut_calendar_link_is_truncated_and_retried() -> None:
    info = detect_truncation(CALENDAR)
    assert (info.is_truncated, info.suggested_action) == (True, TruncationAction.RETRY)
    assert info.truncation_point == len(CALENDAR)
    assert 0 < info.estimated_completeness < 1


def test_the_calendar_request_is_no_loop() -> None:
    request = "what is on my calendar in two days"
    answer = "Here are your calendar events in two days: Walk Dog, 7:00 AM."
    [first, second] = run_of(
        [WorkflowStep("list_events", {"days": 2}, CALENDAR), WorkflowStep("list_events", {"days": 2}, answer)],
        request=request,
    )
    assert first.decision.next_action is LoopAction.RETRY
    assert first.decision.should_continue
    assert not first.analysis.has_loop
    assert not second.analysis.has_loop
    assert second.decision.reason == "User request fulfilled"
    assert second.fulfillment.is_fulfilled


def test_cut_answers_never_count_as_a_loop_but_have_a_retry_budget() -> None:
    reviews = run_of([WorkflowStep("list", {}, CALENDAR)] * 5)
    assert not any(review.analysis.has_loop for review in reviews)
    assert [review.decision.should_continue for review in reviews] == [True, True, True, False, False]
    assert "max_retries" in reviews[3].decision.reason


def test_the_second_equal_step_is_skipped_and_the_third_stopped() -> None:
    actions = [r.decision.next_action for r in run_of([WorkflowStep("list", {"a": 1}, "nothing there.")] * 3)]
    assert actions == [LoopAction.CONTINUE, LoopAction.SKIP, LoopAction.STOP]


def test_the_tenth_step_names_the_budget_and_so_do_all_later_ones() -> None:
    reviews = run_of([WorkflowStep("get", {"id": n}, f"item {n} is here.") for n in range(12)])
    assert [r.decision.should_continue for r in reviews] == [True] * 9 + [False] * 3
    assert all("max_steps" in r.decision.reason for r in reviews[9:])
    assert [r.step_index for r in reviews] == list(range(12))
    assert not any(r.analysis.has_loop for r in reviews)


def test_infinite_comes_before_stuck_when_one_step_is_both() -> None:
    reviews = run_of([WorkflowStep("pay", {"n": 1}, None, error="Error: card refused by bank")] * 3)
    assert reviews[2].analysis.loop_type is LoopType.INFINITE


def test_a_stuck_workflow_is_told_to_retry_another_way() -> None:
    reviews = run_of([WorkflowStep("pay", {"n": n}, None, error="Error: card refused by bank") for n in range(3)])
    assert (reviews[2].analysis.loop_type, reviews[2].decision.next_action) == (LoopType.STUCK, LoopAction.RETRY)
    assert reviews[2].decision.reason.startswith("Workflow appears stuck")


def test_has_loop_means_at_least_the_threshold_of_the_policy() -> None:
    steps = [WorkflowStep("list", {"a": 1}, "nothing there.")] * 2
    assert run_of(steps)[1].analysis.has_loop
    doubtful = run_of(steps, replace(DEFAULT_CONFIG, loop_detection_threshold=0.95))[1]
    assert not doubtful.analysis.has_loop
    assert doubtful.analysis.confidence == pytest.approx(0.85)
    assert doubtful.analysis.loop_type is None
    assert doubtful.decision.should_continue


def test_different_failures_in_a_row_are_first_a_suspicion_then_an_alarm() -> None:
    causes = ["disk full", "name unknown", "quota used up", "host down", "clock skewed"]
    steps = [WorkflowStep(f"op{n}", {"n": n}, None, error=f"Error: {cause}") for n, cause in enumerate(causes)]
    reviews = run_of(steps)
    assert (reviews[2].analysis.has_loop, reviews[2].analysis.confidence) == (False, 0.7)
    assert (reviews[4].analysis.has_loop, reviews[4].analysis.rule) == (True, "no_progress")
    untracked = run_of(steps, replace(DEFAULT_CONFIG, progress_tracking_enabled=False))
    assert not untracked[4].analysis.has_loop


def test_configuration_has_the_defaults_of_the_seed_and_refuses_nonsense() -> None:
    assert config_from({}) == DEFAULT_CONFIG
    assert (DEFAULT_CONFIG.max_steps, DEFAULT_CONFIG.max_retries, DEFAULT_CONFIG.loop_detection_threshold) == (
        10,
        3,
        0.8,
    )
    assert config_from({"max_steps": 4}).max_steps == 4
    with pytest.raises(ValueError, match="max_steps"):
        config_from({"max_steps": 0})


def test_without_retries_a_cut_answer_is_marked_and_shown() -> None:
    config = replace(DEFAULT_CONFIG, auto_retry_on_truncation=False)
    [review] = run_of([WorkflowStep("list", {}, CALENDAR)], config)
    assert review.processed.content.endswith(MARK)
    assert review.decision.next_action is LoopAction.CONTINUE
