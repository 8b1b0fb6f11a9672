"""Questions to the figures by day: sums over a range, by subject, flow, or day."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass, fields
from datetime import date, datetime
from typing import Any

from django.db.models import QuerySet, Sum

from audit.metrics.deltas import Sums
from audit.metrics.keys import Key, Measure
from audit.models import DayFigure
from audit.selectors.rollups import look_ahead


@dataclass(frozen=True, slots=True)
class Filters:
    """Empty is all."""

    flow: str = ""
    channel: str = ""
    driver: str = ""

    def chosen(self) -> dict[str, str]:
        return {each.name: value for each in fields(self) if (value := getattr(self, each.name))}

    def match(self, key: Key) -> bool:
        return all(getattr(key, name) == value for name, value in self.chosen().items())


class Figures:
    """The figures as they stand when asked: what is stored, and what the newest events add to it."""

    def __init__(self, *, filters: Filters = Filters(), since: datetime | None = None) -> None:
        self.filters = filters
        self.ahead, self.behind = look_ahead(flow=filters.flow or None, since=since)

    def by(
        self, name: str, measures: Collection[str], first: date | None, last: date | None
    ) -> dict[str, dict[Any, Sums]]:
        """For each measure, its sums by one part of the key (`subject`, `flow`, `day`, …)."""
        found: dict[str, dict[Any, Sums]] = {measure: defaultdict(Sums) for measure in measures}
        rows = self.stored(measures, first, last).values_list("measure", name)
        for measure, value, *sums in rows.annotate(Sum("conversations"), Sum("count"), Sum("total")).order_by():
            found[measure][value] = Sums(*sums)
        for key, delta in self.newest(measures, first, last):
            value = getattr(key, name)
            found[key.measure][value] = found[key.measure][value].plus(delta)
        return {measure: {value: sums for value, sums in each.items() if any(sums)} for measure, each in found.items()}

    def stored(self, measures: Collection[str], first: date | None, last: date | None) -> QuerySet[DayFigure]:
        rows = DayFigure.objects.filter(measure__in=measures, **self.filters.chosen())
        rows = rows if first is None else rows.filter(day__gte=first)
        return rows if last is None else rows.filter(day__lte=last)

    def newest(self, measures: Collection[str], first: date | None, last: date | None) -> Iterable[tuple[Key, Sums]]:
        for key, delta in self.ahead.items():
            in_time = (first is None or key.day >= first) and (last is None or key.day <= last)
            if key.measure in measures and in_time and self.filters.match(key):
                yield key, delta


def choices() -> dict[str, list[str]]:
    """What there is to filter by: every flow, channel and driver that a conversation began with."""
    names = ("flow", "channel", "driver")
    known = set(DayFigure.objects.filter(measure=Measure.STARTED).values_list(*names).distinct().order_by())
    return {name: sorted({row[place] for row in known} - {""}) for place, name in enumerate(names)}
