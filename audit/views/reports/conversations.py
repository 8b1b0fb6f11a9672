"""Conversations: how many, how deep, how long, and how they end."""

from collections.abc import Mapping

from django.utils.translation import gettext as _

from audit.metrics.deltas import Sums
from audit.metrics.keys import Measure
from audit.views.reports.build import along_days, bucketed, distribution, ratio
from audit.views.reports.labels import size_label
from audit.views.reports.question import Answers
from audit.views.reports.table import Column, Table, Value

MEASURES = (Measure.DEPTH, Measure.LENGTH, Measure.CLOSED, Measure.OUTCOME)


def tables(answers: Answers) -> list[Table]:
    both = answers.both("subject", MEASURES)
    return [
        activity(answers),
        distribution(
            answers, both, measure=Measure.CLOSED, key="closures", title=_("How they end"), first=_("closure")
        ),
        distribution(answers, both, measure=Measure.OUTCOME, key="outcomes", title=_("Outcomes"), first=_("outcome")),
        expiry(answers),
        distribution(
            answers,
            both,
            measure=Measure.DEPTH,
            key="depth",
            title=_("Depth"),
            first=_("intents"),
            label=size_label,
            subjects=bucketed(both, Measure.DEPTH),
            hint=_("By the day a conversation began."),
        ),
        distribution(
            answers,
            both,
            measure=Measure.LENGTH,
            key="length",
            title=_("Length"),
            first=_("messages"),
            label=size_label,
            subjects=bucketed(both, Measure.LENGTH),
            hint=_("By the day a conversation began."),
        ),
    ]


def activity(answers: Answers) -> Table:
    def values(sums: Mapping[str, Sums]) -> tuple[Value, ...]:
        closed = sums[Measure.CLOSED]
        depth, length = sums[Measure.DEPTH], sums[Measure.LENGTH]
        return (
            sums[Measure.STARTED].times,
            closed.times,
            sums[Measure.MESSAGES].times,
            depth.mean,
            length.mean,
            closed.mean,
        )

    columns = (
        Column("started", _("began")),
        Column("closed", _("ended")),
        Column("messages", _("messages")),
        Column("depth", _("depth, on average"), "mean"),
        Column("length", _("messages each"), "mean"),
        Column("open_for", _("open for, on average"), "span"),
    )
    measures = (Measure.STARTED, Measure.CLOSED, Measure.MESSAGES, Measure.DEPTH, Measure.LENGTH)
    return along_days(
        answers,
        measures=measures,
        drilled=Measure.STARTED,
        key="activity",
        title=_("Day by day"),
        columns=columns,
        values=values,
    )


def expiry(answers: Answers) -> Table:
    """How many of those that ended ran out of time."""

    def values(sums: Mapping[str, Sums]) -> tuple[Value, ...]:
        expired = sums[Measure.EXPIRED].times
        return expired, ratio(expired, sums[Measure.CLOSED].times)

    columns = (Column("expired", _("expired")), Column("share", _("of those that ended"), "share"))
    return along_days(
        answers,
        measures=(Measure.EXPIRED, Measure.CLOSED),
        drilled=Measure.EXPIRED,
        key="expiry",
        title=_("Expiry"),
        columns=columns,
        values=values,
    )
