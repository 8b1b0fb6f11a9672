"""What replacing contributions does to the figures: pure, and the same for the stored figures and for a look ahead."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple
from uuid import UUID

from audit.metrics.contributions import Contributions
from audit.metrics.keys import Amount, Key


class Sums(NamedTuple):
    """Of a figure, or by how much one moves."""

    conversations: int = 0
    times: int = 0
    total: int = 0

    def plus(self, other: Iterable[int]) -> "Sums":
        return Sums(*(mine + theirs for mine, theirs in zip(self, other, strict=True)))

    def minus(self, other: Iterable[int]) -> "Sums":
        return self.plus(-each for each in other)

    @property
    def mean(self) -> float | None:
        """Of what was measured, over how often it was."""
        return self.total / self.times if self.times else None


def added_by(amount: Amount | None) -> Sums:
    """What one conversation's contribution adds to its figure; none adds nothing."""
    return Sums() if amount is None else Sums(1, amount.times, amount.total)


Changed = list[tuple[UUID, Key]]


def differences(
    before: Mapping[UUID, Contributions], after: Mapping[UUID, Contributions]
) -> tuple[dict[Key, Sums], Changed]:
    """By how much each figure moves, and which conversation's contribution to which figure is another one now."""
    deltas: dict[Key, Sums] = {}
    changed: Changed = []
    for conversation, added in after.items():
        known = before.get(conversation, {})
        for key in {**known, **added}:
            old, new = known.get(key), added.get(key)
            if old != new:
                deltas[key] = deltas.get(key, Sums()).plus(added_by(new)).minus(added_by(old))
                changed.append((conversation, key))
    return deltas, changed
