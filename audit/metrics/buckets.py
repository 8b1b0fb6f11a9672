"""Spans and sizes by bucket: sums of buckets stay exact, and percentiles are known to a bucket."""

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from datetime import datetime

MORE = "more"
# Seconds: what a person feels, then what a shift and a day are.
SPANS = (1, 2, 5, 10, 30, 60, 120, 300, 600, 1800, 3600, 14_400, 43_200, 86_400)
SIZES = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 20, 50, 100, 1000)


def milliseconds(since: datetime, until: datetime) -> int:
    """Whole milliseconds; a clock that went back gives none."""
    return max(0, int((until - since).total_seconds() * 1000))


def span_bucket(spent_ms: int) -> str:
    """The first bound, in seconds, that the span does not exceed."""
    return _bucket(spent_ms / 1000, SPANS)


def size_bucket(size: int) -> str:
    return _bucket(size, SIZES)


def _bucket(value: float, bounds: Sequence[int]) -> str:
    place = bisect_left(bounds, value)
    return str(bounds[place]) if place < len(bounds) else MORE


def ordered(buckets: Mapping[str, int]) -> dict[str, int]:
    """By their bounds, `more` last; what is no bucket is left out."""
    return {name: buckets[name] for name in sorted(filter(known, buckets), key=bound_of)}


def known(bucket: str) -> bool:
    return bucket == MORE or bucket.isdecimal()


def bound_of(bucket: str) -> float:
    return float("inf") if bucket == MORE else float(bucket)


def percentile(buckets: Mapping[str, int], share: float) -> str | None:
    """The bucket in which the given share of all is reached; None without any."""
    counts = ordered(buckets)
    wanted, seen = share * sum(counts.values()), 0
    for name, count in counts.items():
        seen += count
        if seen and seen >= wanted:
            return name
    return None
