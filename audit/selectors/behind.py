"""From a figure to the conversations it counts."""

from dataclasses import dataclass

from audit.metrics.periods import Period
from audit.models import Contribution, DayFigure
from audit.selectors.figures import Filters
from conversations.models import Relationship
from conversations.selectors.relationships import relationships

PAGE = 50
LAST_PAGE = 200


@dataclass(frozen=True, slots=True)
class Behind:
    rows: list[Relationship]
    number: int
    has_next: bool


def conversations_behind(measure: str, period: Period, filters: Filters, *, subject: str | None, page: str) -> Behind:
    """One page, newest first; no count, which would cost more than the page."""
    number = min(LAST_PAGE, max(1, int(page))) if page.isdecimal() and len(page) < 6 else 1
    figures = DayFigure.objects.filter(measure=measure, day__gte=period.first, day__lte=period.last, **filters.chosen())
    if subject is not None:
        figures = figures.filter(subject=subject.replace("\x00", ""))
    counted = Contribution.objects.filter(figure__in=figures.values("pk")).values("relationship")
    rows = relationships().filter(pk__in=counted).order_by("-created_at", "-id")
    start = (number - 1) * PAGE
    found = list(rows[start : start + PAGE + 1])
    return Behind(found[:PAGE], number, len(found) > PAGE and number < LAST_PAGE)
