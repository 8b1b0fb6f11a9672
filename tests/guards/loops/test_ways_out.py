"""What is done about a loop: resolutions, escalation, and running a step again where it helps."""

from __future__ import annotations

import pytest

from guards.loops.findings import LoopAction, LoopType, Rule
from guards.loops.loop_detection import LoopAnalysis
from guards.loops.resolutions import Level, escalate, suggest_resolution
from guards.loops.response_processing import MARK, AgentResponse
from guards.loops.review import WorkflowRun, review_history, review_step
from guards.loops.step_execution import Attempt, execute_step
from guards.loops.steps import flow_turn, intent, message, response, step_from_dict, thread_message
from guards.loops.workflow import WorkflowStep

LOOP = LoopAnalysis(True, LoopType.STUCK, 0.9, (1, 2), LoopAction.RETRY, Rule.REPEATED_ERROR, "pay failed 3 times")
NONE = LoopAnalysis(False, None, 0.5, (), LoopAction.CONTINUE, None)


def test_the_first_alarm_warns_the_second_nudges_the_third_hands_off_or_closes() -> None:
    assert [escalate(LOOP, n).level for n in (1, 2, 3, 4)] == [Level.WARN, Level.NUDGE, Level.HAND_OFF, Level.HAND_OFF]
    assert escalate(LOOP, 3, can_hand_off=False).level is Level.CLOSE
    assert escalate(NONE, 2).level is Level.NONE


def test_a_hint_says_what_was_seen_and_what_to_do() -> None:
    assert escalate(LOOP, 2).hint == "Pay failed 3 times. Correct the arguments as the error says before calling again."


@pytest.mark.parametrize("rule", list(Rule))
def test_every_rule_has_ways_out_and_no_loop_has_none(rule: Rule) -> None:
    found = LoopAnalysis(True, LoopType.STUCK, 0.9, (1,), LoopAction.RETRY, rule, "x")
    priorities = [way.priority for way in suggest_resolution(found)]
    assert priorities == sorted(priorities, reverse=True)
    assert priorities[0] == 0.9
    assert suggest_resolution(NONE) == ()


def test_a_run_that_goes_on_looping_is_escalated_step_by_step() -> None:
    run, levels = WorkflowRun(), []
    for _ in range(4):
        run, review = review_step(run, WorkflowStep("list", {"a": 1}, "nothing there."))
        levels.append(review.escalation.level)
    assert levels == [Level.NONE, Level.WARN, Level.NUDGE, Level.HAND_OFF]


def test_a_cut_answer_is_run_again_with_a_higher_limit_until_it_is_whole() -> None:
    asked: list[int] = []

    def run(attempt: Attempt) -> AgentResponse:
        asked.append(attempt.limit)
        return AgentResponse("All of it.") if len(asked) == 3 else AgentResponse("part of it...")

    execution = execute_step(WorkflowStep("list"), run)
    assert (asked, execution.attempts) == ([2000, 4000, 8000], 3)
    assert execution.step.response == "All of it."
    assert not execution.step.truncated


def test_a_long_answer_is_continued_where_it_broke_off() -> None:
    head = "word " * 500 + "[link](http://exam"

    def run(attempt: Attempt) -> AgentResponse:
        return AgentResponse("ple.org/x) end.") if attempt.continue_after == head else AgentResponse(head)

    execution = execute_step(WorkflowStep("list"), run)
    assert execution.step.response == f"{head}ple.org/x) end."
    assert not execution.step.truncated


def test_an_answer_that_stays_cut_is_marked_after_max_retries() -> None:
    execution = execute_step(WorkflowStep("list"), lambda _: AgentResponse("part of it..."))
    assert (execution.attempts, execution.step.truncated) == (4, True)
    assert execution.processed.content == f"part of it...\n\n{MARK}"


def test_a_failing_step_is_not_run_again() -> None:
    execution = execute_step(WorkflowStep("list"), lambda _: AgentResponse("x...", error="boom"))
    assert (execution.attempts, execution.step.error) == (1, "boom")


def test_history_of_any_driver_is_reviewed_at_once() -> None:
    nagging = [part for _ in range(3) for part in flow_turn("contact-1", "RETRY", [])]
    assert review_history("", nagging).analysis.rule is Rule.REPEATED_CALL
    gossip = [thread_message(who, f"{who} says it again") for _ in range(3) for who in ("ana", "bo", "cy")]
    assert review_history("", gossip).analysis.rule is Rule.CYCLE
    asking = [part for _ in range(3) for part in (intent("agent-a", "quote", {"sku": 1}), response("rejected"))]
    assert review_history("", asking).analysis.has_loop
    assert not review_history("say hello", [message("bot", "hello")]).analysis.has_loop


def test_a_loop_anywhere_in_a_history_counts_and_its_first_alarm_is_reported() -> None:
    same = [{"kind": "tool_call", "operation": "list"}, {"kind": "tool_result", "operation": "list", "text": "none"}]
    other = [{"kind": "tool_call", "operation": "get"}, {"kind": "tool_result", "operation": "get", "text": "done"}]
    review = review_history("", map(step_from_dict, same * 2 + other))
    assert (review.analysis.has_loop, review.analysis.affected_steps, review.step_index) == (True, (0, 2), 5)


def test_an_empty_history_is_no_loop() -> None:
    answer = review_history("do it", []).as_dict()
    assert (answer["analysis"]["has_loop"], answer["decision"]["should_continue"]) == (False, True)
    assert set(answer) == {
        "step_index", "processed", "analysis", "decision", "progress", "fulfillment", "resolutions", "escalation",
    }  # fmt: skip
