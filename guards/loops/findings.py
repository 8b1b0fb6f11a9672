"""What the detector reports: values with their reasons."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class LoopType(StrEnum):
    INFINITE = "infinite"
    REDUNDANT = "redundant"
    STUCK = "stuck"


class LoopAction(StrEnum):
    STOP = "stop"
    RETRY = "retry"
    SKIP = "skip"
    CONTINUE = "continue"


class Rule(StrEnum):
    REPEATED_CALL = "repeated_call"
    REPEATED_ERROR = "repeated_error"
    REWORDED_CALL = "reworded_call"
    REPEATED_MESSAGE = "repeated_message"
    CYCLE = "cycle"
    CHANTING = "chanting"
    NO_PROGRESS = "no_progress"


@dataclass(frozen=True, slots=True)
class Finding:
    """One rule fired: where, how sure, on which evidence, and what to do about it."""

    rule: Rule
    loop_type: LoopType
    action: LoopAction
    confidence: float
    evidence: tuple[int, ...]
    window: tuple[int, int]
    detail: str

    def as_dict(self) -> dict[str, Any]:
        """The finding as JSON, as it is stored and shown."""
        return {
            "rule": self.rule.value,
            "loop_type": self.loop_type.value,
            "action": self.action.value,
            "confidence": self.confidence,
            "evidence": list(self.evidence),
            "window": list(self.window),
            "detail": self.detail,
        }

    @classmethod
    def from_dict(cls, raw: Mapping[str, Any]) -> Finding:
        """The inverse of as_dict."""
        return cls(
            Rule(raw["rule"]),
            LoopType(raw["loop_type"]),
            LoopAction(raw["action"]),
            raw["confidence"],
            tuple(raw["evidence"]),
            (raw["window"][0], raw["window"][1]),
            raw["detail"],
        )


def finding(
    rule: Rule,
    verdict: tuple[LoopType, LoopAction],
    confidence: float,
    evidence: Iterable[int],
    detail: str,
) -> Finding:
    """A finding whose window spans its evidence."""
    steps = tuple(sorted(set(evidence)))
    return Finding(rule, *verdict, confidence, steps, (steps[0], steps[-1]), detail)


def graded(count: float, enough: float, *, base: float = 0.85) -> float:
    """Confidence by count: below `enough` it stays under any sensible threshold, then climbs to 0.99."""
    if count < enough:
        return round(0.3 + 0.4 * (count - 1) / max(1, enough - 1), 2)
    return round(min(0.99, base + 0.04 * (count - enough)), 2)
