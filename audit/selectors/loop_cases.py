"""Cases to measure the loop review on: labelled conversations, or imported traces."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import islice
from typing import Any

from django.db import models
from django.db.models import Count, F, Min, Q, QuerySet, Value
from django.db.models.functions import TruncWeek

from audit.metrics.cases import Case
from audit.models import ImportedTrace, LoopCase, LoopLabel

# Of the cases another threshold would change, so many are shown by name.
NAMED = 50
# Of all of them together, so many are in memory at once.
CHUNK = 2000
# What an imported trace is told by, where it is not a column of that name. Without an alarm no rule raised one.
OF_TRACES: dict[str, Any] = {
    "week": TruncWeek("imported_at", tzinfo=UTC),
    "rule": models.Case(models.When(alarm=None, then=Value("")), default=F("rule")),
    "channel": F("source"),
    "flow": Value(""),
    "lag": F("alarm") - F("onset"),
}


@dataclass(frozen=True, slots=True)
class LabelledCases:
    """Conversations somebody labelled, begun since a moment. The database groups them: no page grows with labels."""

    since: datetime | None = None

    def rows(self) -> QuerySet[LoopCase]:
        rows = LoopCase.objects.order_by()
        return rows if self.since is None else rows.filter(begun__gte=self.since)

    def alike(self, by: str) -> list[Case]:
        """As few cases as tell everything by one property: `week`, `lag`, `peak`, or one of the groups."""
        told: Any = TruncWeek("begun", tzinfo=UTC) if by == "week" else F(by)
        kinds = self.rows().values("is_loop", "detected", "frame", told=told)
        weights = self.weights()
        return [
            told_by(
                by,
                each["told"],
                Case(
                    key="",
                    detected=each["detected"],
                    is_loop=each["is_loop"],
                    at=each["at"],
                    weight=weights.get(each["frame"], 1.0),
                    count=each["count"],
                ),
            )
            for each in kinds.annotate(count=Count("pk"), at=Min("begun"))
        ]

    def weights(self) -> dict[int | None, float]:
        """How many a case of each frame stands for: the frame's population over the cases labelled in it."""
        drawn = self.rows().exclude(frame=None).values_list("frame", "frame__population").annotate(Count("pk"))
        return {frame: population / labelled for frame, population, labelled in drawn}

    def each(self, *chosen: Q) -> Iterator[Case]:
        """Every single one, with its key, read as it is asked for."""
        weights = self.weights()
        for row in self.rows().filter(*chosen).order_by("begun", "pk").iterator(CHUNK):
            yield Case(
                key=str(row.pk),
                detected=row.detected,
                is_loop=row.is_loop,
                at=row.begun,
                weight=weights.get(row.frame_id, 1.0),
                peak=float(row.peak),
                rule=row.rule,
                channel=row.channel,
                flow=row.flow,
                policy_version=row.policy_version,
                lag=row.lag,
            )

    def changed_by(self, threshold: float) -> tuple[list[Case], list[Case]]:
        """The first of those that would have been alarms and were none, and the other way round."""
        return (
            list(islice(self.each(Q(detected=False, peak__gte=threshold)), NAMED)),
            list(islice(self.each(Q(detected=True, peak__lt=threshold)), NAMED)),
        )

    def said(self) -> dict[str, dict[str, bool]]:
        """What each reviewer said of each case that more than one has read."""
        labels = LoopLabel.objects.filter(superseded_at=None, relationship__loop_case__readers__gte=2)
        if self.since is not None:
            labels = labels.filter(relationship__loop_case__begun__gte=self.since)
        said: dict[str, dict[str, bool]] = defaultdict(dict)
        for key, reviewer, is_loop in labels.order_by().values_list("relationship_id", "reviewer", "is_loop"):
            verdicts = said[key]
            verdicts[reviewer] = verdicts.get(reviewer, False) or is_loop
        return said


def told_by(by: str, value: Any, case: Case) -> Case:
    """The case with the one property it was told apart by; its week is in its beginning."""
    if by == "week":
        return case
    told: dict[str, Any] = {by: float(value) if by == "peak" else value}
    return replace(case, **told)


@dataclass(frozen=True, slots=True)
class ImportedCases:
    """The team's own traces, by their source instead of a channel."""

    def alike(self, by: str) -> list[Case]:
        """As of labels: the database groups them."""
        kinds = ImportedTrace.objects.order_by().values("is_loop", told=OF_TRACES.get(by, F(by)), quiet=Q(alarm=None))
        return [
            told_by(
                by,
                each["told"],
                Case(key="", detected=not each["quiet"], is_loop=each["is_loop"], at=each["at"], count=each["count"]),
            )
            for each in kinds.annotate(count=Count("pk"), at=Min("imported_at"))
        ]

    def each(self, *chosen: Q) -> Iterator[Case]:
        """Every single one, with its key, read as it is asked for."""
        for trace in ImportedTrace.objects.filter(*chosen).iterator(CHUNK):
            yield Case(
                key=f"{trace.source}/{trace.trace}",
                detected=trace.alarm is not None,
                is_loop=trace.is_loop,
                at=trace.imported_at,
                peak=float(trace.peak),
                rule=trace.rule if trace.alarm is not None else "",
                channel=trace.source,
                policy_version=trace.policy_version,
                lag=None if trace.alarm is None or trace.onset is None else trace.alarm - trace.onset,
            )

    def changed_by(self, threshold: float) -> tuple[list[Case], list[Case]]:
        return (
            list(islice(self.each(Q(alarm=None, peak__gte=threshold)), NAMED)),
            list(islice(self.each(Q(alarm__isnull=False, peak__lt=threshold)), NAMED)),
        )

    def said(self) -> Mapping[str, Mapping[str, bool]]:
        return {}
