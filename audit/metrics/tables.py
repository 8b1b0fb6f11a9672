"""The tables behind the accuracy dashboard, one row a line of its CSV."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Protocol

from audit.metrics.agreement import agreements
from audit.metrics.cases import Case, grouped, number_of, week_of
from audit.metrics.rates import accuracy

Said = Mapping[str, Mapping[str, bool]]
Row = dict[str, Any]


def by_property(cases: Sequence[Case], by: str) -> list[Row]:
    """All cases together, then each group."""
    return measured_rows(by, [("all", list(cases)), *grouped(cases, lambda case: getattr(case, by)).items()])


def by_week(cases: Sequence[Case]) -> list[Row]:
    """The weeks in order."""
    return measured_rows("week", list(grouped(cases, week_of).items()))


def measured_rows(name: str, groups: Sequence[tuple[str, list[Case]]]) -> list[Row]:
    return [{name: key, "labels": number_of(group), **accuracy(group).as_json()} for key, group in groups]


def by_reviewers(said: Said) -> list[Row]:
    """Every pair of reviewers with cases in common."""
    return [
        {"one": pair.reviewers[0], "other": pair.reviewers[1], "n": pair.n, "agreed": pair.agreed, "kappa": pair.kappa}
        for pair in agreements(said)
    ]


def case_by_case(cases: Iterable[Case], threshold: float) -> Iterator[Row]:
    """Every labelled case, with what another threshold would have made of it."""
    return (
        {
            "case": case.key,
            "begun": case.at.isoformat(),
            "is_loop": case.is_loop,
            "alarm": case.detected,
            "kind": case.kind,
            f"alarm_at_{threshold}": case.peak >= threshold,
            "peak_confidence": case.peak,
            "weight": round(case.weight, 4),
            "rule": case.rule,
            "channel": case.channel,
            "flow": case.flow,
            "policy_version": case.policy_version,
            "lag": case.lag,
        }
        for case in cases
    )


class Source(Protocol):
    """Where the cases come from: labels, or imported traces."""

    def alike(self, by: str) -> list[Case]: ...
    def each(self) -> Iterator[Case]: ...
    def said(self) -> Said: ...


def tables(source: Source, *, by: str) -> dict[str, Callable[[], list[Row]]]:
    """Every table but the cases themselves by its name, made when asked for."""
    return {
        "groups": lambda: by_property(source.alike(by), by),
        "weeks": lambda: by_week(source.alike("week")),
        "agreement": lambda: by_reviewers(source.said()),
    }
