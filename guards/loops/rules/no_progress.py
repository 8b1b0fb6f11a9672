"""One failure after another, each of its own kind."""

from __future__ import annotations

from itertools import takewhile

from guards.loops.findings import Finding, LoopAction, LoopType, Rule, finding
from guards.loops.memory import DetectorState

SUSPECT = 3


def no_progress(state: DetectorState) -> Finding | None:
    """The last calls have all failed: a suspicion at three (0.7, as in the seed), an alarm at five."""
    answered = [call for call in reversed(state.calls) if call.outcome is not None]
    failed = [call.index for call in takewhile(lambda call: call.failed, answered)]
    if len(failed) < SUSPECT:
        return None
    return finding(
        Rule.NO_PROGRESS,
        (LoopType.STUCK, LoopAction.RETRY),
        round(min(0.95, 0.55 + 0.05 * len(failed)), 2),
        failed,
        f"no meaningful progress: the last {len(failed)} steps failed",
    )
