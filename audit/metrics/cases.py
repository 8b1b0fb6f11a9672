"""A labelled conversation or trace, as every figure sees it."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime

# Of the confusion matrix, by whether it is a loop and whether it raised an alarm.
KINDS = {(True, True): "tp", (False, True): "fp", (True, False): "fn", (False, False): "tn"}


@dataclass(frozen=True, slots=True)
class Case:
    """`weight` is how many conversations this one stands for: one over the rate at which its kind was sampled.

    `count` labelled cases that no figure tells apart may be one case: then it has no key, and `at` is the first's.
    """

    key: str
    detected: bool
    is_loop: bool
    at: datetime
    weight: float = 1.0
    peak: float = 0.0
    rule: str = ""
    channel: str = ""
    flow: str = ""
    policy_version: str = ""
    lag: int | None = None
    count: int = 1

    @property
    def kind(self) -> str:
        """Which cell of the confusion matrix it falls into."""
        return KINDS[self.is_loop, self.detected]


def number_of(cases: Iterable[Case]) -> int:
    """How many labelled cases these are."""
    return sum(case.count for case in cases)


def grouped(cases: Iterable[Case], key: Callable[[Case], str]) -> dict[str, list[Case]]:
    """The cases by a property, in the order of its values."""
    groups: dict[str, list[Case]] = {}
    for case in cases:
        groups.setdefault(key(case), []).append(case)
    return dict(sorted(groups.items()))


def week_of(case: Case) -> str:
    """The Monday of the case's week."""
    year, week, _ = case.at.isocalendar()
    return f"{year}-W{week:02d}"
