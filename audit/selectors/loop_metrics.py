"""Seed 003's LoopDetectionMetrics over all conversations, or by rule, channel, flow or policy version.

Counts are sums of the figures by day, rates those of the stored cases: neither grows with the number of turns.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from audit.metrics.cases import Case, grouped
from audit.metrics.deltas import Sums
from audit.metrics.keys import WORKFLOWS, Measure
from audit.metrics.parts.workflow import split_group
from audit.metrics.rates import accuracy
from audit.selectors.cohorts import cohort_since
from audit.selectors.loop_cases import LabelledCases

GROUPS = ("rule", "channel", "flow", "policy_version")
# Rule and version of a conversation are both in the figure's subject.
IN_SUBJECT = {"rule": 0, "policy_version": 1}

Counts = Mapping[str, Sums]


def loop_metrics(*, since: datetime | None = None, by: str | None = None) -> dict[str, Any]:
    """The figures of the contract; with `by` also for each group, in `groups`."""
    cases = LabelledCases(since).alike(by or "rule")
    counts = counted(since=since, by=by or "rule")
    answer = figures(whole(counts), cases)
    if by is None:
        return answer
    labelled = grouped(cases, lambda case: str(getattr(case, by)))
    return {
        **answer,
        "by": by,
        "groups": [
            {"key": key, **figures(counts.get(key, {}), labelled.get(key, []))} for key in sorted({*counts, *labelled})
        ],
    }


def counted(*, since: datetime | None, by: str = "rule") -> dict[str, Counts]:
    """For each group, the sums of each measure."""
    counts: dict[str, dict[str, Sums]] = defaultdict(dict)
    name = "subject" if by in IN_SUBJECT else by
    for measure, sums in cohort_since(WORKFLOWS, by=name, since=since).items():
        for value, each in sums.items():
            key = split_group(value)[IN_SUBJECT[by]] if by in IN_SUBJECT else value
            counts[key][measure] = counts[key].get(measure, Sums()).plus(each)
    return dict(counts)


def whole(counts: Mapping[str, Counts]) -> Counts:
    """All groups together."""
    total: dict[str, Sums] = {}
    for group in counts.values():
        for measure, sums in group.items():
            total[measure] = total.get(measure, Sums()).plus(sums)
    return total


def figures(counts: Counts, cases: Sequence[Case]) -> dict[str, Any]:
    """Seed 003's seven and the accuracy behind them."""
    measured = accuracy(cases)
    lengths, ended, well, rated = (
        counts.get(measure, Sums())
        for measure in (
            Measure.WORKFLOW,
            Measure.WORKFLOW_CLOSED,
            Measure.WORKFLOW_WELL,
            Measure.WORKFLOW_RATED,
        )
    )
    return {
        "totalWorkflows": lengths.times,
        "loopsDetected": counts.get(Measure.WORKFLOW_LOOPED, Sums()).times,
        "falsePositives": measured.confusion["fp"],
        "falseNegatives": measured.confusion["fn"],
        "averageWorkflowLength": rounded(lengths.mean),
        "successRate": rounded(well.times / ended.times) if ended.times else None,
        "userSatisfactionScore": rounded(rated.mean),
        **measured.as_json(),
    }


def rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
