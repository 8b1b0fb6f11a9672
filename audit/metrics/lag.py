"""How long a loop ran before it was noticed."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil, floor
from statistics import median

from audit.metrics.cases import Case


@dataclass(frozen=True, slots=True)
class Lag:
    """In steps or messages, from where the loop began to the alarm."""

    n: int
    median: float | None = None
    p10: int | None = None
    p90: int | None = None


def detection_lag(cases: Iterable[Case]) -> Lag:
    """Of the loops that were found and of which the beginning is known."""
    told = [(case.lag, case.count) for case in cases if case.kind == "tp" and case.lag is not None]
    lags = [lag for lag, count in sorted(told) for _ in range(count)]
    if not lags:
        return Lag(0)
    last = len(lags) - 1
    return Lag(len(lags), median(lags), lags[floor(0.1 * last)], lags[ceil(0.9 * last)])
