"""What a metrics page is asked, and the figures it answers with."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _

from audit.metrics.deltas import Sums
from audit.metrics.periods import MOST_DAYS, Period, PeriodError, period_of
from audit.selectors.figures import Figures, Filters, choices

FILTERS = ("flow", "channel", "driver")
KNOWN = frozenset({"tab", "from", "to", *FILTERS, "format", "table", "measure", "subject", "page"})


class BadQuestion(Exception):
    """Says in words what the address asks that makes no sense."""


@dataclass(frozen=True, slots=True)
class Question:
    period: Period
    filters: Filters
    options: dict[str, list[str]]

    @classmethod
    def of(cls, asked: QueryDict, *, today: date) -> "Question":
        """The address, checked: unknown names and values are said, not guessed."""
        if unknown := sorted(set(asked) - KNOWN):
            raise BadQuestion(_("There is no filter called %(name)s.") % {"name": unknown[0][:50]})
        try:
            period = period_of(asked.get("from", ""), asked.get("to", ""), today=today)
        except PeriodError as problem:
            raise BadQuestion(period_words(problem.code)) from problem
        options = choices()
        for name in FILTERS:
            if (value := asked.get(name, "")) and value not in options[name]:
                raise BadQuestion(
                    _("Nothing is known of the %(name)s %(value)s.") % {"name": name, "value": value[:50]}
                )
        return cls(period, Filters(**{name: asked.get(name, "") for name in FILTERS}), options)

    def drill(self, period: Period, measure: str, **key: str) -> str:
        """The address of the conversations behind a figure."""
        asked = {"measure": measure, "from": period.first, "to": period.last, **self.filters.chosen(), **key}
        return f"{reverse('console:metric_conversations')}?{urlencode(asked)}"


def period_words(code: str) -> str:
    words = {
        "no_date": _("A date is written like 2026-11-18."),
        "backwards": _("The first day comes after the last."),
        "too_long": _("At most %(days)d days at once.") % {"days": MOST_DAYS},
        "out_of_range": _("There are no figures for such dates."),
    }
    return words[code]


class Answers:
    """The figures of this period and of the one before, for whoever builds tables of them."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self.figures = Figures(filters=question.filters)

    def both(self, name: str, measures: Collection[str]) -> tuple[dict[str, dict[Any, Sums]], ...]:
        """By one part of the key, now and before."""
        period = self.question.period
        return tuple(self.figures.by(name, measures, each.first, each.last) for each in (period, period.before))

    def time_line(self, measures: Collection[str]) -> tuple[dict[str, list[Sums]], ...]:
        """By step, now and before; the period before has as many days, so its steps lie under this one's."""
        period = self.question.period
        steps = period.steps()
        found = []
        for by_day, shift in zip(self.both("day", measures), (0, period.days), strict=True):
            found.append({measure: [in_step(days, step, shift) for step in steps] for measure, days in by_day.items()})
        return tuple(found)


def in_step(days: dict[date, Sums], step: Period, shift: int) -> Sums:
    sums = Sums()
    for day, each in days.items():
        if step.first.toordinal() <= day.toordinal() + shift <= step.last.toordinal():
            sums = sums.plus(each)
    return sums
