"""Tables as CSV that no spreadsheet takes for formulas."""

import csv
from collections.abc import Iterable, Iterator, Mapping
from io import StringIO
from itertools import chain, islice
from typing import Any, TypeVar

from django.http import HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
AT_ONCE = 500  # lines a piece of a streamed file

Answer = TypeVar("Answer", bound=HttpResponseBase)


def csv_response(rows: Iterable[Mapping[str, Any]], *, name: str) -> HttpResponse:
    """The rows as a file, with every name any of them has as a column."""
    rows = [flat(row) for row in rows]
    columns = list(dict.fromkeys(column for row in rows for column in row))
    return as_file(HttpResponse(lines([columns, *cells(rows, columns)])), name)


def csv_stream(rows: Iterator[Mapping[str, Any]], *, name: str) -> StreamingHttpResponse:
    """The same of rows that all have the first one's columns, never more than a few of them in memory."""
    first = next(rows, None)
    columns = list(first or ())
    table = chain([columns], cells(chain([first] if first else [], rows), columns))
    return as_file(StreamingHttpResponse(iter(lambda: lines(islice(table, AT_ONCE)), "")), name)


def as_file(answer: Answer, name: str) -> Answer:
    answer["Content-Type"] = "text/csv; charset=utf-8"
    answer["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return answer


def cells(rows: Iterable[Mapping[str, Any]], columns: list[str]) -> Iterator[list[Any]]:
    return ([row.get(column) for column in columns] for row in rows)


def lines(table: Iterable[Iterable[Any]]) -> str:
    sheet = StringIO()
    csv.writer(sheet).writerows([defused(cell) for cell in row] for row in table)
    return sheet.getvalue()


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
