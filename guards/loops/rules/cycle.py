"""A round of several steps, gone through again and again."""

from __future__ import annotations

from itertools import islice

from guards.loops.findings import Finding, LoopAction, LoopType, Rule, finding, graded
from guards.loops.memory import ROUNDS, DetectorState


def cycle(state: DetectorState) -> Finding | None:
    """The last steps repeat with some period, by however many parties; period one belongs to other rules."""
    if 1 in state.runs:
        return None
    for period, run in state.runs.items():
        if run < (ROUNDS - 1) * period:
            continue
        rounds = run // period + 1
        return finding(
            Rule.CYCLE,
            (LoopType.INFINITE, LoopAction.STOP),
            graded(rounds, ROUNDS, base=0.9),
            islice(reversed(state.trail), ROUNDS * period),
            f"a round of {period} steps repeated {rounds} times",
        )
    return None
