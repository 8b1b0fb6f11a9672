"""Precision, recall and F1 with 95 % intervals, honest about how the cases were sampled.

Each rate is a weighted share of cases. Where every case stands for itself its interval is Wilson's; with weights,
Wilson's with the effective sample size of Kish, (Σw)² / Σw². F1 needs no approximation of its own: with
q = TP / (TP + FP + FN) it is 2q / (1 + q), which only grows with q, so the ends of q's interval are the ends of F1's.

Recall and F1 of samples need more: ten quiet conversations read, none of them a loop, do not prove that the five
hundred they stand for hold none. Loops found and loops missed are estimated apart, each with its interval, and put
together as a ratio of two estimates.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from audit.metrics.cases import Case, number_of
from audit.metrics.intervals import Estimate, ratio, wilson


@dataclass(frozen=True, slots=True)
class Rate:
    """A rate, its 95 % interval, and the number of labelled cases behind it; all None without any."""

    value: float | None
    low: float | None
    high: float | None
    n: int

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Accuracy:
    """`confusion` counts labelled cases as they are; the rates weigh them."""

    confusion: dict[str, int]
    precision: Rate
    recall: Rate
    f1: Rate

    def as_json(self) -> dict[str, Any]:
        """In the words of the contract."""
        return {
            "confusion": self.confusion,
            "precision": self.precision.as_json(),
            "recall": self.recall.as_json(),
            "f1": self.f1.as_json(),
        }


def accuracy(cases: Sequence[Case]) -> Accuracy:
    """What the labels say of the detector."""
    counts: Counter[str] = Counter()
    for case in cases:
        counts[case.kind] += case.count
    recall, jaccard = share_of_tp(cases, ("tp", "fn")), share_of_tp(cases, ("tp", "fp", "fn"))
    if any(case.weight != 1 for case in cases):
        recall, jaccard = with_sampling_error(cases, recall, jaccard)
    return Accuracy(
        confusion={kind: counts[kind] for kind in ("tp", "fp", "fn", "tn")},
        precision=share_of_tp(cases, ("tp", "fp")),
        recall=recall,
        f1=mapped(jaccard, lambda q: 2 * q / (1 + q)),
    )


def with_sampling_error(cases: Iterable[Case], recall: Rate, jaccard: Rate) -> tuple[Rate, Rate]:
    """Both shares with what the sample leaves open; q is the precision over one plus the missed per alarm."""
    alarmed: list[Case] = []
    quiet: list[Case] = []
    for case in cases:
        (alarmed if case.detected else quiet).append(case)
    if not alarmed or not quiet:
        return recall, jaccard
    precision, misses = loops_among(alarmed), loops_among(quiet)
    alarms, silences = total(alarmed), total(quiet)
    found, missed = precision.times(alarms), misses.times(silences)
    if found.value:
        lost = ratio(missed, found)
        recall = within(recall, 1 / (1 + lost.high), 1 / (1 + lost.low))
    elif missed.value:
        won = ratio(found, missed)
        recall = within(recall, won.low / (1 + won.low), won.high / (1 + won.high))
    q = ratio(precision, misses.times(silences / alarms, plus=1))
    return recall, within(jaccard, q.low, q.high)


def loops_among(cases: Sequence[Case]) -> Estimate:
    """The weighted share of loops."""
    share = total(case for case in cases if case.is_loop) / total(cases)
    return Estimate(share, *wilson(share, effective_size(cases)))


def total(cases: Iterable[Case]) -> float:
    return sum(case.count * case.weight for case in cases)


def effective_size(cases: Sequence[Case]) -> float:
    """Kish's: how many equal cases would be as sure as these weighted ones."""
    return total(cases) ** 2 / sum(case.count * case.weight**2 for case in cases)


def within(rate: Rate, low: float, high: float) -> Rate:
    """The rate with another interval, if there is a rate at all."""
    if rate.value is None:
        return rate
    return Rate(rate.value, round(min(low, rate.value), 4), round(min(1.0, max(high, rate.value)), 4), rate.n)


def share_of_tp(cases: Iterable[Case], among: tuple[str, ...]) -> Rate:
    """The weighted share of true positives among cases of these kinds."""
    chosen = [case for case in cases if case.kind in among]
    if not chosen:
        return Rate(None, None, None, 0)
    share = total(case for case in chosen if case.kind == "tp") / total(chosen)
    low, high = wilson(share, effective_size(chosen))
    return Rate(round(share, 4), round(low, 4), round(high, 4), number_of(chosen))


def mapped(rate: Rate, by: Callable[[float], float]) -> Rate:
    """The rate and the ends of its interval through a function that only grows."""
    value, low, high = (None if end is None else round(by(end), 4) for end in (rate.value, rate.low, rate.high))
    return Rate(value, low, high, rate.n)
