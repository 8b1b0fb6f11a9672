"""Guards: what each refused, and the loop alarms beside them."""

from collections.abc import Mapping

from django.utils.translation import gettext as _

from audit.metrics.deltas import Sums
from audit.metrics.keys import Measure
from audit.views.reports.build import along_days, distribution
from audit.views.reports.question import Answers
from audit.views.reports.table import Column, Table, Value


def tables(answers: Answers) -> list[Table]:
    both = answers.both("subject", (Measure.GUARD, Measure.LOOP))
    return [
        distribution(
            answers, both, measure=Measure.GUARD, key="guards", title=_("Refusals by guard"), first=_("guard")
        ),
        days(answers),
        distribution(answers, both, measure=Measure.LOOP, key="loops", title=_("Loop alarms by rule"), first=_("rule")),
    ]


def days(answers: Answers) -> Table:
    def values(sums: Mapping[str, Sums]) -> tuple[Value, ...]:
        return sums[Measure.GUARD].times, sums[Measure.LOOP].times

    return along_days(
        answers,
        measures=(Measure.GUARD, Measure.LOOP),
        drilled=Measure.GUARD,
        key="guard_days",
        title=_("Refusals and alarms over time"),
        columns=(Column("refusals", _("refusals")), Column("alarms", _("loop alarms"))),
        values=values,
    )
