"""Products from a CSV file: a header with our own field names, one product a row, tags separated by |."""

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TextIO

from pydantic import ValidationError

from conversations.catalog_sources.port import Batch, Refused, SourceError, reasons
from conversations.services.catalog import ProductData

COLUMNS = frozenset(ProductData.model_fields)
REQUIRED = frozenset({"id", "name"})
DELIMITERS = ",;\t"
CHUNK = 500
MAX_BYTES = 100 * 1024 * 1024
MAX_FIELD = 20_000
UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")

Row = tuple[int, list[str]]
"""The line a row begins on, and its fields."""


@dataclass(frozen=True, slots=True)
class CsvFile:
    """A file read row by row. A chunk with a bad row is left out whole, so that what is in is known by its lines."""

    path: Path

    @property
    def key(self) -> None:
        """A file that was mended is read from its beginning: any line may have changed."""

    def batches(self, *, page: int) -> Iterator[Batch]:
        """Chunks of rows, from the first on."""
        try:
            if self.path.stat().st_size > MAX_BYTES:
                raise SourceError(f"The file is larger than {MAX_BYTES // 1024 // 1024} MB; split it.")
            # bytes that are not UTF-8 travel on as surrogates, so that the row they are in can be named
            with self.path.open(encoding="utf-8-sig", errors="surrogateescape", newline="") as file:
                rows = read_rows(file)
                header = checked_header(next(rows, (1, []))[1])
                while chunk := list(islice(rows, CHUNK)):
                    yield batch_of(header, chunk)
        except OSError as problem:
            raise SourceError(f"The file cannot be read: {problem.strerror}.") from problem


def read_rows(file: TextIO) -> Iterator[Row]:
    """Each row with the line it begins on; blank rows are passed over."""
    first = file.readline(MAX_FIELD)
    file.seek(0)
    delimiter = max(DELIMITERS, key=first.count)
    csv.field_size_limit(MAX_FIELD)
    reader = csv.reader(file, delimiter=delimiter, strict=True)
    while True:
        line = reader.line_num + 1
        try:
            fields = next(reader, None)
        except csv.Error as problem:
            raise SourceError(f"line {line}: {problem}") from problem
        if fields is None:
            return
        if any(field.strip() for field in fields):
            yield line, fields


def checked_header(fields: list[str]) -> list[str]:
    """The column names, all known, each once."""
    header = [field.strip().casefold() for field in fields]
    if missing := sorted(REQUIRED - set(header)):
        raise SourceError(f"line 1: the header has no column {' and no column '.join(missing)}")
    if unknown := sorted(set(header) - COLUMNS):
        raise SourceError(f"line 1: unknown column {', '.join(unknown)}; there are {', '.join(sorted(COLUMNS))}")
    if len(set(header)) < len(header):
        raise SourceError("line 1: a column is there twice")
    return header


def batch_of(header: list[str], rows: list[Row]) -> Batch:
    """The rows as products, or, if one of them is none, only what is wrong."""
    products, refused = [], []
    for line, fields in rows:
        try:
            products.append(product_of(header, fields))
        except ValidationError as problem:
            refused.append(Refused(f"line {line}", reasons(problem)))
        except ValueError as problem:
            refused.append(Refused(f"line {line}", str(problem)))
    return Batch((), tuple(refused)) if refused else Batch(tuple(products))


def product_of(header: list[str], fields: list[str]) -> ProductData:
    """One row as a product; empty fields count as not given."""
    if len(fields) != len(header):
        raise ValueError(f"has {len(fields)} fields, the header {len(header)}")
    if UNSTORABLE.search("".join(fields)):
        raise ValueError("is not UTF-8, or holds a NUL character")
    told: dict[str, object] = {name: text.strip() for name, text in zip(header, fields, strict=True) if text.strip()}
    if "tags" in told:
        told["tags"] = tuple(tag for tag in (each.strip() for each in str(told["tags"]).split("|")) if tag)
    return ProductData.model_validate(told)
