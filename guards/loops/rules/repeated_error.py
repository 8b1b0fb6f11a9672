"""One operation failing in one way."""

from __future__ import annotations

from guards.loops.findings import Finding, LoopAction, LoopType, Rule, finding, graded
from guards.loops.memory import CallMemory, DetectorState
from guards.loops.text import likeness
from guards.loops.thresholds import Thresholds


def repeated_error(state: DetectorState, call: CallMemory, numbers: Thresholds) -> Finding | None:
    """The same failure whatever the arguments, since a person last brought new information."""
    if not call.failed:
        return None
    failure = call.failure
    same = [
        c.index
        for c in state.calls
        if c.failed
        and c.operation == call.operation
        and c.epoch == call.epoch
        and (c is call or likeness(c.failure, failure) >= numbers.error_likeness)
    ]
    if len(same) < 2:
        return None
    return finding(
        Rule.REPEATED_ERROR,
        (LoopType.STUCK, LoopAction.RETRY),
        graded(len(same), numbers.equal_errors, base=0.9),
        same,
        f"{call.operation or 'unnamed call'} failed {len(same)} times in the same way",
    )
