"""One shape for every report: a table of figures of now and of the period before, and how it is drawn."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from audit.views.reports.labels import span_label

Value = int | float | str | None
# A page shows so many rows of a table; its CSV has all.
SHOWN = 100
SECOND, MINUTE, HOUR, DAY = 1000, 60_000, 3_600_000, 86_400_000


@dataclass(frozen=True, slots=True)
class Column:
    """`kind` is how a value is spelt: count, share (0 to 1), mean, span (milliseconds) or bucket."""

    name: str
    label: str
    kind: str = "count"

    def spelt(self, value: Value) -> str:
        if value is None:
            return "–"
        if isinstance(value, str):
            return span_label(value)
        if self.kind == "share":
            return f"{100 * value:.1f} %"
        if self.kind == "span":
            return span_words(value)
        return f"{value:.2f}" if self.kind == "mean" else f"{value:,}".replace(",", "\u202f")

    def exported(self, value: Value) -> Value:
        """As a spreadsheet wants it: spans in seconds, a bucket by its upper bound in seconds."""
        if value is None or isinstance(value, str):
            return value
        return round(value / SECOND, 3) if self.kind == "span" else round(value, 4)


def span_words(spent_ms: float) -> str:
    if spent_ms < MINUTE:
        return _("%(n).1f s") % {"n": spent_ms / SECOND}
    if spent_ms < HOUR:
        return _("%(n).1f min") % {"n": spent_ms / MINUTE}
    if spent_ms < 2 * DAY:
        return _("%(n).1f h") % {"n": spent_ms / HOUR}
    return _("%(n).1f days") % {"n": spent_ms / DAY}


@dataclass(frozen=True, slots=True)
class Row:
    """`drill` and `drill_before` are the addresses of the conversations behind it, empty where there are none."""

    key: str
    label: str
    now: tuple[Value, ...]
    before: tuple[Value, ...]
    drill: str = ""
    drill_before: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    key: str
    title: str
    first: str
    columns: tuple[Column, ...]
    rows: Sequence[Row]
    hint: str = ""
    kind: str = "bar"
    drawn: int = 0
    newest_first: bool = False

    def spelt_rows(self) -> list[tuple[Row, list[tuple[str, str, str]]]]:
        """Each row with its cells: the column's name, now, before. Days are drawn as they went and read from today."""
        shown = self.rows[:SHOWN]
        return [
            (
                row,
                [
                    (column.label, column.spelt(now), column.spelt(before))
                    for column, now, before in zip(self.columns, row.now, row.before, strict=True)
                ],
            )
            for row in (reversed(shown) if self.newest_first else shown)
        ]

    @property
    def left_out(self) -> int:
        """Rows that only the CSV has."""
        return max(0, len(self.rows) - SHOWN)

    def chart(self) -> dict[str, Any]:
        """For Chart.js; the addresses behind the bars travel beside it."""
        column = self.columns[self.drawn]
        told = {_("this period"): "now", _("the period before"): "before"}
        colours = {"now": "var(--color-primary-600)", "before": "#9ca3af"}
        return {
            "labels": [row.label for row in self.rows[:SHOWN]],
            "datasets": [
                {
                    "label": f"{column.label}{' (s)' if column.kind == 'span' else ''}, {label}",
                    "data": [column.exported(getattr(row, name)[self.drawn]) for row in self.rows[:SHOWN]],
                    "backgroundColor": colours[name],
                    "borderColor": colours[name],
                }
                for label, name in told.items()
            ],
        }

    def links(self) -> list[list[str]]:
        """By data set and place, as the bars are."""
        shown = self.rows[:SHOWN]
        return [[row.drill for row in shown], [row.drill_before for row in shown]]

    def csv_rows(self) -> list[dict[str, Any]]:
        """Names of columns and keys are the same in every language; only labels are words."""
        return [
            {
                "key": row.key,
                "label": row.label,
                **{
                    f"{column.name}{suffix}": column.exported(value)
                    for values, suffix in ((row.now, ""), (row.before, "_before"))
                    for column, value in zip(self.columns, values, strict=True)
                },
            }
            for row in self.rows
        ]
