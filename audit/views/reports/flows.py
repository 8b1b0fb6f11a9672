"""Flows: how conversations fare in each, and one flow node by node and gate by gate."""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

from audit.metrics.deltas import Sums
from audit.metrics.keys import Measure
from audit.views.reports.build import BySubject, along_days, ratio, row_of, rows_by, subjects_of
from audit.views.reports.question import Answers
from audit.views.reports.table import Column, Table, Value

WHOLE = (
    Measure.FLOW_STARTED,
    Measure.FLOW_CLOSED,
    Measure.FLOW_COMPLETE,
    Measure.FLOW_HANDED,
    Measure.FLOW_DEADLOCK,
)
NODES = (Measure.NODE_TRIED, Measure.NODE_RETRIED, Measure.NODE_HANDED, Measure.NODE_DROPPED)


def tables(answers: Answers) -> list[Table]:
    if not answers.question.filters.flow:
        return [overview(answers), begun(answers)]
    both = answers.both("subject", (*NODES, Measure.GATE, Measure.FLOW_STARTED))
    return [
        overview(answers),
        nodes(answers, both),
        retried(answers, both),
        handed(answers, both),
        gates(answers, both),
        begun(answers),
    ]


def flow_values(sums: Mapping[str, Sums]) -> tuple[Value, ...]:
    """F22: completion over closed, handoffs over started."""
    started, closed = sums[Measure.FLOW_STARTED], sums[Measure.FLOW_CLOSED].times
    return (
        started.times,
        closed,
        ratio(sums[Measure.FLOW_COMPLETE].times, closed),
        ratio(sums[Measure.FLOW_HANDED].times, started.times),
        sums[Measure.FLOW_DEADLOCK].times,
        started.mean,
    )


def flow_columns() -> tuple[Column, ...]:
    return (
        Column("started", _("started")),
        Column("closed", _("closed")),
        Column("completion_rate", _("completed, of closed"), "share"),
        Column("handoff_rate", _("handed over, of started"), "share"),
        Column("deadlocks", _("deadlocks")),
        Column("average_length", _("turns on average"), "mean"),
    )


def overview(answers: Answers) -> Table:
    both = answers.both("flow", WHOLE)
    subjects = subjects_of(both, [Measure.FLOW_STARTED])
    rows = rows_by(
        answers.question,
        both,
        drilled=Measure.FLOW_STARTED,
        subjects=subjects,
        values=flow_values,
        label=str,
        part="flow",
    )
    hint = _("By the day a conversation began.")
    if not answers.question.filters.flow:
        hint = _("By the day a conversation began. Choose a flow above to see its nodes and gates.")
    return Table("flows", _("Flows"), _("flow"), flow_columns(), rows, hint)


def begun(answers: Answers) -> Table:
    title = _("Conversations by the day they began")
    return along_days(
        answers,
        measures=WHOLE,
        drilled=Measure.FLOW_STARTED,
        key="flow_days",
        title=title,
        columns=flow_columns(),
        values=flow_values,
    )


def node_values(sums: Mapping[str, Sums]) -> tuple[Value, ...]:
    tried = sums[Measure.NODE_TRIED]
    return (
        tried.conversations,
        tried.mean,
        sums[Measure.NODE_RETRIED].total,
        sums[Measure.NODE_HANDED].total,
        sums[Measure.NODE_DROPPED].conversations,
        ratio(sums[Measure.NODE_DROPPED].conversations, tried.conversations),
    )


def nodes(answers: Answers, both: Sequence[BySubject]) -> Table:
    columns = (
        Column("tried", _("conversations that tried it")),
        Column("attempts", _("attempts each"), "mean"),
        Column("retries", _("retries")),
        Column("handoffs", _("handoffs")),
        Column("dropped", _("ended here short of the goal")),
        Column("drop_off", _("drop-off"), "share"),
    )
    subjects = subjects_of(both, [Measure.NODE_TRIED, Measure.NODE_HANDED, Measure.NODE_DROPPED])
    rows = rows_by(answers.question, both, drilled=Measure.NODE_TRIED, subjects=subjects, values=node_values, label=str)
    return Table("nodes", _("Nodes"), _("node"), columns, rows)


def ranking(
    answers: Answers, both: Sequence[BySubject], measure: Measure, *, key: str, title: str, label: str
) -> Table:
    """The nodes with the highest totals of one measure, each with the conversations it happened in."""

    def values(sums: Mapping[str, Sums]) -> tuple[Value, ...]:
        return sums[measure].total, sums[measure].conversations

    most = sorted(subjects_of(both, [measure]), key=lambda node: (-both[0][measure].get(node, Sums()).total, node))
    rows = rows_by(answers.question, both, drilled=measure, subjects=most, values=values, label=str)
    return Table(key, title, _("node"), (Column("count", label), Column("conversations", _("conversations"))), rows)


def retried(answers: Answers, both: Sequence[BySubject]) -> Table:
    return ranking(
        answers, both, Measure.NODE_RETRIED, key="retried", title=_("Most retried nodes"), label=_("retries")
    )


def handed(answers: Answers, both: Sequence[BySubject]) -> Table:
    title = _("Most common handoff points")
    return ranking(answers, both, Measure.NODE_HANDED, key="handoff_points", title=title, label=_("handoffs"))


def gates(answers: Answers, both: Sequence[BySubject]) -> Table:
    """When each gate opens, and in how many of the conversations it ever does; earliest first."""
    wholes = [each[Measure.FLOW_STARTED].get("", Sums()).times for each in both]
    rows = []
    for subject in sorted(subjects_of(both, [Measure.GATE]), key=lambda gate: turn_of(gate, both)):
        opened = [each[Measure.GATE].get(subject, Sums()) for each in both]
        cells = [
            (gate.mean, gate.conversations, ratio(gate.conversations, whole))
            for gate, whole in zip(opened, wholes, strict=True)
        ]
        counted = [bool(gate.conversations) for gate in opened]
        rows.append(
            row_of(answers.question, subject, subject, cells, drilled=Measure.GATE, counted=counted, subject=subject)
        )
    columns = (
        Column("turn", _("satisfied at turn, on average"), "mean"),
        Column("conversations", _("conversations")),
        Column("share", _("of started"), "share"),
    )
    hint = _("The turn at which a gate was first satisfied.")
    return Table("gates", _("Gate timeline"), _("gate"), columns, rows, hint)


def turn_of(gate: str, both: Sequence[BySubject]) -> tuple[float, str]:
    mean = both[0][Measure.GATE].get(gate, Sums()).mean
    return (float("inf") if mean is None else mean), gate
