"""Handoffs: how many, how they end, how long until somebody comes and until it is solved."""

from collections.abc import Mapping

from django.utils.translation import gettext as _

from audit.metrics.deltas import Sums
from audit.metrics.keys import Measure
from audit.views.reports.build import along_days, distribution
from audit.views.reports.question import Answers
from audit.views.reports.spans import overall, spread
from audit.views.reports.table import Column, Table, Value

MEASURES = (Measure.HANDOFF, Measure.CLAIM, Measure.RESOLVE)


def tables(answers: Answers) -> list[Table]:
    both = answers.both("subject", MEASURES)
    spans = {Measure.CLAIM: _("until claimed"), Measure.RESOLVE: _("until resolved or returned")}
    return [
        overall(answers, both, measures=spans, key="handoff_times", title=_("Times"), first=_("from the request")),
        days(answers),
        distribution(
            answers,
            both,
            measure=Measure.HANDOFF,
            key="handoff_endings",
            title=_("How they stand"),
            first=_("state"),
            hint=_("Ended: the conversation ended around it."),
        ),
        spread(answers, both, measure=Measure.CLAIM, title=_("Time to claim")),
        spread(answers, both, measure=Measure.RESOLVE, title=_("Time to resolve")),
    ]


def days(answers: Answers) -> Table:
    def values(sums: Mapping[str, Sums]) -> tuple[Value, ...]:
        return sums[Measure.HANDOFF].times, sums[Measure.CLAIM].mean, sums[Measure.RESOLVE].mean

    columns = (
        Column("requested", _("requested")),
        Column("claim", _("to claim, on average"), "span"),
        Column("resolve", _("to resolve, on average"), "span"),
    )
    return along_days(
        answers,
        measures=MEASURES,
        drilled=Measure.HANDOFF,
        key="handoff_days",
        title=_("By the day of the request"),
        columns=columns,
        values=values,
    )
