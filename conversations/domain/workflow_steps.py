"""A workflow step in the ledger (seed 003): bounded, and enough to fold the run from.

A response is cut at the policy's length. What was left out is named by a digest inside the text, so that two long
responses that differ only beyond the cut are never taken for one: a cut of ours must not look like a loop.
"""

import json
from collections.abc import Mapping
from dataclasses import replace
from hashlib import sha256
from typing import Any

from conversations.domain.canonical import canonical_text
from guards.loops.content import as_text
from guards.loops.loop_detection import ContinuationDecision
from guards.loops.text import digest, mask_volatile
from guards.loops.workflow import WorkflowStep

TAKEN = "step_taken"
MAX_PARAMETERS = 8_000
MAX_ERROR = 2_000
ERASED_OPERATION = "(erased)"


def kept_step(step: WorkflowStep, *, limit: int) -> WorkflowStep:
    """What is remembered and recorded of a step."""
    return replace(
        step,
        parameters=as_stored("parameters", bounded(step.parameters)),
        response=None if step.response is None else cut(as_text(step.response), limit),
        error=step.error and cut(step.error, MAX_ERROR),
    )


def as_stored(field: str, value: Any) -> Any:
    """The value as it is read back from the ledger, where 1.0 is 1: a call must be the same before and after."""
    return json.loads(canonical_text({field: value}))[field]


def cut(text: str, limit: int) -> str:
    """The beginning of a long text with a name for the whole; clocks and ids in the rest do not change the name."""
    return text if len(text) <= limit else f"{text[:limit]}\n[cut: {digest(mask_volatile(text))}]"


def bounded(parameters: Any) -> Any:
    """Parameters of any shape; beyond a few thousand characters their beginning and a digest of them all."""
    text = as_text(parameters)
    if len(text) <= MAX_PARAMETERS:
        return parameters
    return {"cut": text[:MAX_PARAMETERS], "sha256": sha256(text.encode()).hexdigest()}


def payload_of(
    step_id: str, whole: WorkflowStep, kept: WorkflowStep, decision: ContinuationDecision, *, request: str, version: str
) -> dict[str, Any]:
    """The event of a step; our own figures are whole numbers and texts, never floats."""
    text = as_text(whole.response)
    return {
        "step_id": step_id,
        "operation": kept.operation,
        "parameters": kept.parameters,
        "response": kept.response,
        "response_length": len(text),
        "response_sha256": sha256(text.encode()).hexdigest(),
        "finish_reason": kept.finish_reason,
        "error": kept.error,
        "truncated": kept.truncated,
        "covered": list(kept.covered or ()),
        "elapsed_ms": round(1000 * (kept.seconds or 0)),
        "original_request": request,
        "should_continue": decision.should_continue,
        "next_action": decision.next_action.value,
        "reason": decision.reason,
        "policy_version": version,
    }


def step_of(told: Mapping[str, Any]) -> WorkflowStep:
    """The step an event tells of; an erased one still counts as taken."""
    return WorkflowStep(
        operation=told.get("operation", ERASED_OPERATION),
        parameters=told.get("parameters"),
        response=told.get("response"),
        finish_reason=told.get("finish_reason"),
        error=told.get("error"),
        seconds=told["elapsed_ms"] / 1000,
        truncated=told["truncated"],
        covered=tuple(told["covered"]),
    )


def figures_of(told: Mapping[str, Any]) -> dict[str, Any]:
    """What an erasure keeps: how long the step took and how it went on, none of its words."""
    names = ("truncated", "elapsed_ms", "should_continue", "next_action", "policy_version")
    return {**{name: told[name] for name in names}, "covered": []}
