"""How long things took: one row a measure, with its mean and the buckets its median and p95 lie in."""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

from audit.metrics.buckets import percentile
from audit.metrics.deltas import Sums
from audit.metrics.keys import Measure
from audit.views.reports.build import BySubject, bucketed, distribution, row_of
from audit.views.reports.labels import span_label
from audit.views.reports.question import Answers
from audit.views.reports.table import Column, Table, Value


def overall(
    answers: Answers, both: Sequence[BySubject], *, measures: Mapping[Measure, str], key: str, title: str, first: str
) -> Table:
    columns = (
        Column("count", _("how often")),
        Column("mean", _("on average"), "span"),
        Column("median", _("half within"), "bucket"),
        Column("p95", _("19 of 20 within"), "bucket"),
    )
    rows = [
        row_of(
            answers.question,
            measure,
            label,
            [cells(each[measure]) for each in both],
            drilled=measure,
            counted=[bool(each[measure]) for each in both],
        )
        for measure, label in measures.items()
    ]
    rows = [row for row in rows if row.drill or row.drill_before]
    return Table(key, title, first, columns, rows, drawn=1)


def cells(sums: Mapping[str, Sums]) -> tuple[Value, ...]:
    whole = Sums()
    for each in sums.values():
        whole = whole.plus(each)
    counts = {bucket: each.times for bucket, each in sums.items()}
    return whole.times, whole.mean, *(percentile(counts, share) for share in (0.5, 0.95))


def spread(answers: Answers, both: Sequence[BySubject], *, measure: str, title: str) -> Table:
    return distribution(
        answers,
        both,
        measure=measure,
        key=f"{measure}_spread",
        title=title,
        first=_("waited"),
        label=span_label,
        subjects=bucketed(both, measure),
    )
