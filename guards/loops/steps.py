"""What happened, in the one shape the detector reads, whatever driver it came from."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any, NamedTuple

Json = Any  # parameters may be any JSON value: the caller's shape is not ours to restrict


class StepKind(StrEnum):
    MESSAGE = "message"
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"


_KINDS = {kind.value: kind for kind in StepKind}


class Step(NamedTuple):
    """One observed act of one actor. A named tuple: one is made for every step of every history."""

    kind: StepKind
    actor: str = ""
    operation: str = ""
    parameters: Json = None
    text: str = ""
    error: bool = False
    truncated: bool = False


def tool_call(operation: str, parameters: Json = None, *, actor: str = "agent", text: str = "") -> Step:
    """An operation somebody asked for."""
    return Step(StepKind.TOOL_CALL, actor, operation, parameters, text)


def tool_result(operation: str, text: str, *, error: bool = False, truncated: bool = False) -> Step:
    """What the operation answered."""
    return Step(StepKind.TOOL_RESULT, "environment", operation, None, text, error, truncated)


def message(actor: str, text: str, *, operation: str = "") -> Step:
    """Something one party said."""
    return Step(StepKind.MESSAGE, actor, operation, None, text)


def flow_turn(node_id: str, mode: str, facts_produced: list[str]) -> tuple[Step, Step]:
    """A flow decision is a call of its node; the facts it brought are the result."""
    outcome = " ".join(sorted(facts_produced)) or "nothing produced"
    return tool_call(node_id, {"mode": mode}, actor="flow"), tool_result(node_id, outcome)


def thread_message(sender: str, text: str) -> Step:
    """A post in a persona thread."""
    return message(sender, text)


def intent(sender: str, name: str, context: Json = None) -> Step:
    """An intent between agents: a call answered by the other side's response."""
    return tool_call(name, context, actor=sender)


def response(name: str, context_text: str = "") -> Step:
    """The other side's answer to the last intent, which may carry any name."""
    return tool_result("", f"{name} {context_text}".strip())


def step_from_dict(raw: Mapping[str, Any]) -> Step:
    """Read the interchange shape; missing and null fields are empty, never an exception."""
    get = raw.get
    return Step(
        _KINDS.get(_text(get("kind")), StepKind.MESSAGE if get("kind") else StepKind.TOOL_CALL),
        _text(get("actor")),
        _text(get("operation")),
        get("parameters"),
        _text(get("text")),
        bool(get("error")),
        bool(get("truncated")),
    )


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else str(value)
