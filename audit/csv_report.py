"""Tables as CSV that no spreadsheet takes for formulas."""

import csv
from collections.abc import Iterable, Mapping
from io import StringIO
from typing import Any

from django.http import HttpResponse

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def csv_response(rows: Iterable[Mapping[str, Any]], *, name: str) -> HttpResponse:
    """The rows as a file, with every name any of them has as a column."""
    rows = [flat(row) for row in rows]
    columns = list(dict.fromkeys(column for row in rows for column in row))
    sheet = StringIO()
    writer = csv.writer(sheet)
    writer.writerow([defused(column) for column in columns])
    writer.writerows([defused(row.get(column)) for column in columns] for row in rows)
    answer = HttpResponse(sheet.getvalue(), content_type="text/csv; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return answer


def flat(row: Mapping[Any, Any], prefix: str = "") -> dict[str, Any]:
    """Nested figures as dotted columns; lists of figures by their place."""
    cells: dict[str, Any] = {}
    for name, value in row.items():
        inner = dict(enumerate(value, start=1)) if isinstance(value, list) else value
        if isinstance(inner, Mapping):
            cells |= flat(inner, f"{prefix}{name}.")
        else:
            cells[f"{prefix}{name}"] = value
    return cells


def defused(value: Any) -> Any:
    """A text that a spreadsheet would run is shown instead."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value
