"""Satisfaction: the newest rating of each conversation, on the day it was given."""

from collections.abc import Mapping

from django.utils.translation import gettext as _

from audit.metrics.deltas import Sums
from audit.metrics.keys import Measure
from audit.views.reports.build import along_days, distribution
from audit.views.reports.question import Answers
from audit.views.reports.table import Column, Table, Value

SCORES = ("1", "2", "3", "4", "5")


def tables(answers: Answers) -> list[Table]:
    both = answers.both("subject", [Measure.RATING])
    any_ = any(each[Measure.RATING] for each in both)
    return [
        days(answers),
        distribution(
            answers,
            both,
            measure=Measure.RATING,
            key="scores",
            title=_("Scores"),
            first=_("score"),
            label=str,
            subjects=SCORES if any_ else (),
        ),
    ]


def days(answers: Answers) -> Table:
    def values(sums: Mapping[str, Sums]) -> tuple[Value, ...]:
        return sums[Measure.RATING].mean, sums[Measure.RATING].times

    return along_days(
        answers,
        measures=[Measure.RATING],
        drilled=Measure.RATING,
        key="satisfaction",
        title=_("Satisfaction, 1 to 5"),
        columns=(Column("mean", _("on average"), "mean"), Column("ratings", _("ratings"))),
        values=values,
    )
