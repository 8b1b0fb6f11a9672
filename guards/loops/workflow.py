"""A workflow run as the analyses see it: totals that never grow and the last few steps."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from guards.loops.content import as_text, excerpt_of
from guards.loops.request import RequestElements, elements_of

RECENT = 20
OPERATIONS = 64  # distinct operations counted by name; the rest are counted together
OTHERS = "(others)"


@dataclass(frozen=True, slots=True)
class WorkflowStep:
    """One operation with its result: what seed 003 calls a step (L4a)."""

    operation: str = ""
    parameters: Any = None
    response: Any = None
    finish_reason: str | None = None
    error: str | None = None
    seconds: float | None = None
    truncated: bool = False
    covered: tuple[str, ...] | None = None  # what the whole response covered, where `response` is only a part of it

    @property
    def failed(self) -> bool:
        """The operation reported an error."""
        return bool(self.error)

    @property
    def productive(self) -> bool:
        """The operation gave something to build on."""
        return not self.failed and not self.truncated and bool(as_text(self.response).strip())


@dataclass(frozen=True, slots=True)
class OperationTotals:
    """How one operation has fared over the whole run."""

    steps: int = 0
    failures: int = 0
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class WorkflowState:
    """The fold of a run's steps."""

    original_request: str = ""
    taken: int = 0
    productive: int = 0
    failed: int = 0
    truncated: int = 0
    seconds: float = 0.0
    timed: int = 0
    covered: frozenset[str] = frozenset()
    operations: dict[str, OperationTotals] = field(default_factory=dict)
    recent: tuple[WorkflowStep, ...] = ()

    @property
    def elements(self) -> RequestElements:
        """What the request asks for."""
        return elements_of(self.original_request)

    @property
    def last(self) -> WorkflowStep | None:
        """The step taken last."""
        return self.recent[-1] if self.recent else None

    def after(self, step: WorkflowStep) -> WorkflowState:
        """The state once this step has been taken."""
        text = as_text(step.response)
        kept = replace(step, response=excerpt_of(text), parameters=excerpt_of(as_text(step.parameters)), covered=None)
        return replace(
            self,
            taken=self.taken + 1,
            productive=self.productive + step.productive,
            failed=self.failed + step.failed,
            truncated=self.truncated + step.truncated,
            seconds=self.seconds + (step.seconds or 0.0),
            timed=self.timed + (step.seconds is not None),
            covered=self.covered | self.covered_in(step),
            operations=self._totals_with(step),
            recent=(*self.recent[1 - RECENT :], kept),
        )

    def covered_in(self, step: WorkflowStep) -> frozenset[str]:
        """What this step's response says of what was asked; a failed or cut one says nothing."""
        if not step.productive:
            return frozenset()
        return self.elements.covered_by(as_text(step.response)) if step.covered is None else frozenset(step.covered)

    def _totals_with(self, step: WorkflowStep) -> dict[str, OperationTotals]:
        name = step.operation[:80]
        if name not in self.operations and len(self.operations) >= OPERATIONS:
            name = OTHERS
        before = self.operations.get(name, OperationTotals())
        now = OperationTotals(before.steps + 1, before.failures + step.failed, before.seconds + (step.seconds or 0.0))
        return {**self.operations, name: now}

    def to_json(self) -> dict[str, Any]:
        """A JSON object of bounded size."""
        return {
            "original_request": self.original_request,
            "totals": [self.taken, self.productive, self.failed, self.truncated, self.seconds, self.timed],
            "covered": sorted(self.covered),
            "operations": {n: [t.steps, t.failures, t.seconds] for n, t in self.operations.items()},
            "recent": [
                [s.operation, s.parameters, s.response, s.finish_reason, s.error, s.seconds, s.truncated]
                for s in self.recent
            ],
        }

    @classmethod
    def from_json(cls, raw: dict[str, Any]) -> WorkflowState:
        """The inverse of to_json."""
        taken, productive, failed, truncated, seconds, timed = raw["totals"]
        return cls(
            original_request=raw["original_request"],
            taken=taken,
            productive=productive,
            failed=failed,
            truncated=truncated,
            seconds=seconds,
            timed=timed,
            covered=frozenset(raw["covered"]),
            operations={name: OperationTotals(*totals) for name, totals in raw["operations"].items()},
            recent=tuple(WorkflowStep(*step) for step in raw["recent"]),
        )


def state_after(original_request: str, steps: Iterable[WorkflowStep]) -> WorkflowState:
    """The state of a run given all its steps."""
    state = WorkflowState(original_request=original_request)
    for step in steps:
        state = state.after(step)
    return state
