"""What another threshold would have changed, on the labelled cases as they happened."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from audit.metrics.cases import Case, number_of
from audit.metrics.rates import Accuracy, accuracy


@dataclass(frozen=True, slots=True)
class Replay:
    """`gained` would have been alarms and were none, `lost` the other way round."""

    threshold: float
    before: Accuracy
    after: Accuracy
    gained: tuple[Case, ...]
    lost: tuple[Case, ...]

    @property
    def gains(self) -> int:
        return number_of(self.gained)

    @property
    def losses(self) -> int:
        return number_of(self.lost)


def replayed(cases: Sequence[Case], threshold: float) -> Replay:
    """Every case judged anew by the highest confidence it ever reached.

    A conversation that was stopped at its alarm might have gone further under a higher threshold: it counts as lost.
    """
    under = [replace(case, detected=case.peak >= threshold) for case in cases]
    changed = [(old, new) for old, new in zip(cases, under, strict=True) if old.detected != new.detected]
    return Replay(
        threshold=threshold,
        before=accuracy(cases),
        after=accuracy(under),
        gained=tuple(old for old, new in changed if new.detected),
        lost=tuple(old for old, new in changed if not new.detected),
    )
