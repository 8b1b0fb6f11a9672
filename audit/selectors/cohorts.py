"""Figures of conversations by when they began, exact to the moment although figures are kept by day."""

from collections.abc import Collection
from datetime import UTC, datetime
from typing import Any

from django.db.models import Count, Sum

from audit.metrics.deltas import Sums
from audit.models import Contribution
from audit.selectors.figures import Figures, Filters

EVERYTHING = Filters()

Cohort = dict[str, dict[Any, Sums]]


def cohort_since(
    measures: Collection[str], *, by: str, filters: Filters = EVERYTHING, since: datetime | None = None
) -> Cohort:
    """Whole days from the figures; of the day on which `since` lies, without the conversations begun before it.

    The measures must be such as are counted on the day a conversation began.
    """
    figures = Figures(filters=filters, since=since)
    if since is None:
        return figures.by(by, measures, None, None)
    day = since.astimezone(UTC).date()
    sums = figures.by(by, measures, day, None)
    early = Contribution.objects.filter(
        figure__measure__in=measures,
        figure__day=day,
        relationship__created_at__lt=since,
        **{f"figure__{name}": value for name, value in filters.chosen().items()},
    )
    for measure, key, *taken in early.values_list("figure__measure", f"figure__{by}").annotate(
        Count("pk"), Sum("count"), Sum("total")
    ):
        sums[measure][key] = sums[measure][key].minus(taken)
    return {measure: {key: each for key, each in all_.items() if any(each)} for measure, all_ in sums.items()}
