"""Tables out of figures: by subject, and along the days."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from audit.metrics import buckets
from audit.metrics.deltas import Sums
from audit.views.reports.labels import code_label, step_label
from audit.views.reports.question import Answers, Question
from audit.views.reports.table import Column, Row, Table, Value

BySubject = Mapping[str, Mapping[Any, Sums]]
Values = Callable[[Mapping[str, Sums]], tuple[Value, ...]]


class Picked(dict[str, Sums]):
    """One subject's sums by measure; what was not counted is nought."""

    def __missing__(self, measure: str) -> Sums:
        return Sums()


def ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None


def row_of(
    question: Question,
    key: str,
    label: str,
    cells: Sequence[tuple[Value, ...]],
    *,
    drilled: str,
    counted: Sequence[bool],
    **part: str,
) -> Row:
    """A row of now and before; it leads to conversations where any were counted."""
    periods = (question.period, question.period.before)
    links = [
        question.drill(period, drilled, **part) if there else "" for period, there in zip(periods, counted, strict=True)
    ]
    return Row(key, label, cells[0], cells[1], links[0], links[1])


def rows_by(
    question: Question,
    both: Sequence[BySubject],
    *,
    drilled: str,
    subjects: Iterable[str],
    values: Values,
    label: Callable[[str], str] = code_label,
    part: str = "subject",
) -> list[Row]:
    """A row a subject; `values` makes the cells out of the measures of one period."""
    found = []
    for subject in subjects:
        picked = [
            Picked({measure: sums[subject] for measure, sums in each.items() if subject in sums}) for each in both
        ]
        counted = [drilled in each for each in picked]
        cells = [values(each) for each in picked]
        found.append(
            row_of(question, subject, label(subject), cells, drilled=drilled, counted=counted, **{part: subject})
        )
    return found


def subjects_of(both: Sequence[BySubject], measures: Iterable[str]) -> list[str]:
    """Those that were counted now or before, most often first."""
    names = list(measures)
    known = {subject for each in both for measure in names for subject in each[measure]}

    def rank(subject: str) -> tuple[Any, ...]:
        return (*(-each[measure].get(subject, Sums()).times for each in both for measure in names), subject)

    return sorted(known, key=rank)


def distribution(
    answers: Answers,
    both: Sequence[BySubject],
    *,
    measure: str,
    key: str,
    title: str,
    first: str,
    label: Callable[[str], str] = code_label,
    subjects: Iterable[str] | None = None,
    hint: str = "",
) -> Table:
    """How often each, and its share of all."""
    wholes = [sum(sums.times for sums in each[measure].values()) for each in both]
    rows = []
    for subject in subjects_of(both, [measure]) if subjects is None else subjects:
        times = [each[measure].get(subject, Sums()).times for each in both]
        cells = [(count, ratio(count, whole)) for count, whole in zip(times, wholes, strict=True)]
        counted = [bool(count) for count in times]
        rows.append(
            row_of(answers.question, subject, label(subject), cells, drilled=measure, counted=counted, subject=subject)
        )
    columns = (Column("count", _("how often")), Column("share", _("share"), "share"))
    return Table(key, title, first, columns, rows, hint)


def bucketed(both: Sequence[BySubject], measure: str) -> list[str]:
    """The buckets that anything fell into, in their order."""
    return list(buckets.ordered({bucket: 1 for each in both for bucket in each[measure]}))


def along_days(
    answers: Answers,
    *,
    measures: Sequence[str],
    drilled: str,
    key: str,
    title: str,
    columns: tuple[Column, ...],
    values: Values,
) -> Table:
    """A row a day, week or month, beside the one as far into the period before."""
    now, before = answers.time_line(measures)
    question, rows = answers.question, []
    for place, step in enumerate(question.period.steps()):
        earlier = step.earlier(question.period.days)
        cells, links = [], []
        for lines, when in ((now, step), (before, earlier)):
            picked = Picked({measure: lines[measure][place] for measure in measures})
            cells.append(values(picked))
            links.append(question.drill(when, drilled) if picked[drilled].conversations else "")
        rows.append(Row(step.first.isoformat(), step_label(step), cells[0], cells[1], links[0], links[1]))
    # a quiet time is no table of noughts
    told = rows if any(row.drill or row.drill_before for row in rows) else []
    return Table(key, title, _("day"), columns, told, newest_first=True)
