"""No field that seed 003 asks for is a constant: over varied runs, each takes at least two values."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from guards.loops.config import config_from
from guards.loops.review import WorkflowRun, review_history, review_step
from guards.loops.steps import step_from_dict
from guards.loops.workflow import WorkflowStep

REQUEST = "List the calendar events of Monday and email Ann a summary"
LONG = "Here are your events: " + "one more event with a long description, " * 80
Run = tuple[str, Sequence[WorkflowStep], dict[str, Any]]

RUNS: list[Run] = [
    (REQUEST, [WorkflowStep("list", {"day": "Monday"}, "Monday: walk the dog at 9")] * 5, {}),
    (REQUEST, [WorkflowStep(f"op{n}", {"n": n}, f"result {n}", seconds=2.0 + n) for n in range(14)], {}),
    (
        REQUEST,
        [
            WorkflowStep("list", {"day": "Monday"}, "The calendar events of Monday: a walk.", "stop", seconds=1.0),
            WorkflowStep("email", {"to": "Ann"}, "I sent the email with the summary to Ann.", "stop", seconds=3.0),
        ],
        {},
    ),
    (
        REQUEST,
        [WorkflowStep("list", {}, LONG, "length"), WorkflowStep("list", {"page": 2}, "[Event Link](http", "length")],
        {},
    ),
    (REQUEST, [WorkflowStep("list", {}, None, error="HTTP 500: timeout")] * 4, {}),
    (REQUEST, [WorkflowStep("read" if n % 2 else "write", {"file": "a"}, f"ok {n % 2}") for n in range(10)], {}),
    (
        REQUEST,
        [WorkflowStep("list", {}, "partial"), WorkflowStep("list", {}, "partial")],
        {"loop_detection_threshold": 0.5},
    ),
    (REQUEST, [WorkflowStep("list", {}, "I cannot do that. Sorry, an error occurred.")] * 3, {"max_retries": 1}),
    ("", [WorkflowStep("think", {}, "hm")], {}),
    (
        REQUEST,
        [WorkflowStep("find", {"name": f"guest{n}"}, f"room{n} ready for guest{n}") for n in range(18)]
        + [WorkflowStep("open", {"room": f"room{n}"}, f"opened door{n}") for n in range(9, 17)]
        + [WorkflowStep("enter", {"door": "door12", "room": "room13"}, "inside")],
        {},
    ),
    (
        "",
        [WorkflowStep("list", {}, '{"a": [1, 2'), WorkflowStep("list", {}, "```python\nprint(", "length")],
        {"auto_retry_on_truncation": False},
    ),
]


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every field by its dotted name; members of a list share theirs, and its length is one of its values."""
    if isinstance(value, dict):
        for name, member in value.items():
            yield from leaves(member, f"{path}.{name}" if path else str(name))
    elif isinstance(value, (list, tuple)):
        yield f"{path}[]", len(value)
        for member in value:
            yield from leaves(member, f"{path}[]")
    else:
        yield path, value


def answers() -> Iterator[dict[str, Any]]:
    """What the facade says after each step of each run, and of each run as a recorded whole."""
    for request, steps, settings in RUNS:
        config, run = config_from(settings), WorkflowRun()
        for step in steps:
            run, review = review_step(run, step, config, original_request=request)
            yield review.as_dict()
        for can_hand_off in (True, False):
            _, review = review_step(run, steps[-1], config, original_request=request, can_hand_off=can_hand_off)
            yield review.as_dict()
        recorded = (
            step_from_dict(
                {"kind": kind, "actor": "a", "operation": step.operation, "parameters": step.parameters, "text": text}
            )
            for step in steps
            for kind, text in (("tool_call", None), ("tool_result", str(step.response)))
        )
        yield review_history(request, recorded, config).as_dict()


def test_every_reported_field_takes_more_than_one_value() -> None:
    seen: dict[str, set[str]] = defaultdict(set)
    for answer in answers():
        for path, value in leaves(answer):
            seen[path].add(repr(value))
    assert {path for path, values in seen.items() if len(values) < 2} == set(), "without exception"


def test_every_part_of_the_contract_is_reported() -> None:
    told = list(answers())
    asked = {"step_index", "processed", "analysis", "decision", "progress", "fulfillment", "resolutions"}
    assert all(asked <= answer.keys() for answer in told)
    scores = {"overall", "completeness", "accuracy", "relevance", "user_satisfaction", "confidence"}
    assert all(answer["fulfillment"]["scores"].keys() == scores for answer in told)
    assert all({"dependencies", "completion", "next_steps"} <= answer["progress"].keys() for answer in told)


def test_a_long_run_names_the_steps_it_depends_on_by_their_number() -> None:
    steps = [WorkflowStep("look", {"n": n}, f"token{n}") for n in range(30)]
    run = WorkflowRun()
    for step in [*steps, WorkflowStep("use", {"with": "token25"}, "done")]:
        run, review = review_step(run, step)
    told = review.as_dict()["progress"]["dependencies"]
    assert told["dependencies"] == ({"step": 30, "depends_on": (25,)},)
