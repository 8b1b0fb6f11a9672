"""Properties of the detector: incremental, causal, bounded, and never upset by what it is given."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from guards.loops.detector import LoopDetector
from guards.loops.findings import Finding
from guards.loops.memory import WINDOW, DetectorState
from guards.loops.review import WorkflowRun, review_history, review_step
from guards.loops.steps import Step, StepKind, message, step_from_dict, tool_call, tool_result
from guards.loops.text import words
from guards.loops.workflow import WorkflowStep

# Few names and texts, so that repeats, rewordings and rounds do occur.
TEXTS = st.sampled_from(
    ["", "ok", "Error: not enough seats on flight 12", "Error: not enough seats on flight 99", "none found",
     "please provide your user id so that I can look up the reservation for you and help you further today",
     "please provide me your user id so that I may look up the reservation and help you further with it today",
     "progress 10 %", "progress 20 %", "I will do it now. " * 8, "\x00\ud800\U0001f600", "日本語のテキストです"]
)  # fmt: skip
STEPS = st.builds(
    Step,
    kind=st.sampled_from(StepKind),
    actor=st.sampled_from(["user", "assistant", "a", "b", ""]),
    operation=st.sampled_from(["search", "pay", ""]),
    parameters=st.one_of(
        st.none(), st.sampled_from([{"q": "where is the red house"}, {"q": "the red house is where"}, [1]])
    ),
    text=TEXTS,
    error=st.booleans(),
    truncated=st.booleans(),
)
HISTORIES = st.lists(STEPS, max_size=60)
JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)
gently = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def observed(steps: list[Step]) -> list[list[Finding]]:
    detector = LoopDetector()
    return [detector.observe(step) for step in steps]


@gently
@given(HISTORIES)
def test_continuing_from_stored_state_equals_never_having_stopped(steps: list[Step]) -> None:
    stored: Any = None
    resumed = []
    for step in steps:
        detector = LoopDetector(DetectorState.from_json(stored))
        resumed.append(detector.observe(step))
        stored = json.loads(json.dumps(detector.state.to_json()))
    assert resumed == observed(steps)


@gently
@given(HISTORIES, STEPS)
def test_what_comes_later_never_changes_what_was_found(steps: list[Step], later: Step) -> None:
    assert observed([*steps, later])[: len(steps)] == observed(steps)


@gently
@given(HISTORIES)
def test_findings_are_well_formed_and_look_backwards(steps: list[Step]) -> None:
    for at, found in enumerate(observed(steps)):
        for finding in found:
            assert 0.0 < finding.confidence < 1.0
            assert finding.evidence == tuple(sorted(set(finding.evidence)))
            assert 0 <= finding.window[0] <= finding.window[1] == at or finding.evidence[-1] < at
            assert finding.detail
            json.dumps(finding.as_dict())


@gently
@given(st.lists(st.sampled_from(["part [one](http://x", "part..."]), min_size=1, max_size=9))
def test_cut_answers_are_never_a_loop(answers: list[str]) -> None:
    run = WorkflowRun()
    for answer in answers:
        run, review = review_step(run, WorkflowStep("list", {"a": 1}, answer))
        assert not review.analysis.has_loop


@gently
@given(JSON, JSON)
def test_any_json_is_accepted_as_arguments_and_answer(parameters: Any, answer: Any) -> None:
    run, review = review_step(WorkflowRun(), WorkflowStep("op", parameters, answer))
    assert WorkflowRun.from_json(json.loads(json.dumps(run.to_json()))).state.taken == 1
    json.dumps(review.as_dict())


@gently
@given(st.dictionaries(st.sampled_from(["actor", "kind", "operation", "parameters", "text", "error"]), JSON))
def test_a_step_of_any_shape_is_read(raw: dict[str, Any]) -> None:
    assert LoopDetector().observe(step_from_dict(raw)) is not None


def test_memory_is_bounded_whatever_the_length_and_size_of_the_history() -> None:
    detector = LoopDetector()
    sizes = []
    for n in range(3_000):
        name = f"operation-{n}" * 50
        detector.observe(tool_call(name, {"q": f"a question of several words {n} " * 400}, actor=name))
        detector.observe(tool_result(name, f"answer {n} " * 5_000))
        detector.observe(message("user", f"Number{n} and Name{n} " * 400))
        if n in (100, 1_000, 2_999):
            sizes.append(len(json.dumps(detector.state.to_json())))
    assert len(detector.state.calls) == len(detector.state.messages) == WINDOW
    assert max(sizes) < 80_000
    assert sizes[2] < 1.1 * sizes[0]


MEGABYTES = [
    "x" * 1_000_000, "[" * 1_000_000, '{"a": ' * 100_000, "a b " * 250_000, "\x00" * 1_000_000, "1" * 1_000_000,
    "**" * 400_000, "<a " * 300_000, "...".join("ab" * 200_000),
]  # fmt: skip


@pytest.mark.parametrize("answer", MEGABYTES, ids=range(len(MEGABYTES)))
def test_a_megabyte_of_anything_is_taken_in(answer: str) -> None:
    run, review = review_step(WorkflowRun(), WorkflowStep("op", {"big": answer}, answer))
    assert len(review.processed.content) <= 2_000
    assert len(json.dumps(run.to_json())) < 100_000


def test_megabytes_that_differ_only_in_the_middle_are_different() -> None:
    half = "a" * 500_000
    detector = LoopDetector()
    for middle in "xyz":
        detector.observe(tool_call("read", {}))
        assert not detector.observe(tool_result("read", half + middle + half))


def test_arguments_nested_beyond_the_stack_are_taken_in_and_told_apart() -> None:
    def nested(core: object) -> object:
        for _ in range(50_000):
            core = [core]
        return core

    detector = LoopDetector()
    steps = [tool_call("op", nested(n)) for n in (1, 2, 1)]
    assert [bool(detector.observe(step)) for step in steps[:2]] == [False, False]


def test_a_script_without_spaces_is_compared_by_its_letters() -> None:
    assert words("これは長い日本語の文章です") & words("それは長い日本語の文章でした")


def test_a_long_history_is_reviewed_whole() -> None:
    steps = [s for n in range(5_000) for s in (tool_call("get", {"id": n}), tool_result("get", f"item {n}"))]
    review = review_history("get all items", steps)
    assert not review.analysis.has_loop
    assert review.state.taken == 5_000
