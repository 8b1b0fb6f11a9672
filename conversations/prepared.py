"""The statements of the hot path, put together once.

Django builds the text of a query anew each time it is asked, which costs more than asking the database. What every
message needs is kept here as Django itself made it; only the values change.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import Field, Model, QuerySet
from django.db.models.query import get_related_populators
from django.db.transaction import TransactionManagementError

Row = TypeVar("Row", bound=Model)
KEPT = "_lastword_prepared"


class Prepared(Generic[Row]):
    """A queryset of whole rows, related ones included, that differs from call to call in its values only."""

    def __init__(self, build: Callable[..., QuerySet[Row]], **samples: tuple["Field[Any, Any]", Any]) -> None:
        """`samples` has for each value its field and an example that occurs nowhere else in the query."""
        self.build = build
        self.samples = samples

    def rows(self, **values: Any) -> list[Row]:
        """The rows for these values, by the statement this connection keeps."""
        ours = connections[DEFAULT_DB_ALIAS]
        kept = ours.__dict__.setdefault(KEPT, {})
        if self not in kept:
            kept[self] = Statement(self, ours)
        return kept[self].rows(values)


class Statement(Generic[Row]):
    """A compiled query of one connection; compilers belong to a connection, and connections to a thread."""

    def __init__(self, prepared: Prepared[Row], connection: Any) -> None:
        query = prepared.build(**{name: sample for name, (_, sample) in prepared.samples.items()}).query
        self.connection = connection
        self.compiler = query.get_compiler(connection=connection)
        self.text, parameters = self.compiler.as_sql()
        self.fields = {name: field for name, (field, _) in prepared.samples.items()}
        stored = {
            self.fields[name].get_db_prep_value(sample, connection): name
            for name, (_, sample) in prepared.samples.items()
        }
        self.parameters = [(stored.get(value), value) for value in parameters]
        self.locks = query.select_for_update and connection.features.has_select_for_update
        selected, shape = self.compiler.select, self.compiler.klass_info
        self.converters = self.compiler.get_converters([column[0] for column in selected])
        self.related = get_related_populators(shape, selected, connection.alias)
        self.model = shape["model"]
        self.columns = slice(shape["select_fields"][0], shape["select_fields"][-1] + 1)
        self.names = [column[0].target.attname for column in selected[self.columns]]

    def rows(self, values: Mapping[str, Any]) -> list[Row]:
        if self.locks and self.connection.get_autocommit():
            raise TransactionManagementError("a row is locked within a transaction only")
        told = {name: self.fields[name].get_db_prep_value(value, self.connection) for name, value in values.items()}
        with self.connection.cursor() as cursor:
            cursor.execute(self.text, [told[name] if name else fixed for name, fixed in self.parameters])
            found = cursor.fetchall()
        return [self.row(line) for line in self.compiler.apply_converters(found, self.converters)]

    def row(self, line: Sequence[Any]) -> Row:
        row: Row = self.model.from_db(self.connection.alias, self.names, line[self.columns])
        for populator in self.related:
            populator.populate(line, row)
        return row


def insert(row: Model, *, or_update: str | None = None) -> None:
    """Stores a new row, and gives it the key the database chose; `or_update` names the key whose row it may replace."""
    needs_key = row._meta.pk.get_internal_type() == "BigAutoField"
    fields, text = insertion(row._meta.model, or_update, needs_key)
    with connection.cursor() as cursor:
        cursor.execute(text, [field.get_db_prep_save(getattr(row, field.attname), connection) for field in fields])
        if needs_key:
            row.pk = cursor.fetchone()[0]
    row._state.adding, row._state.db = False, DEFAULT_DB_ALIAS


def store(rows: Sequence[Model]) -> None:
    """New rows of one model: one is the common case, many share a statement."""
    if len(rows) == 1:
        insert(rows[0])
    elif rows:
        type(rows[0])._default_manager.bulk_create(rows)


@cache
def insertion(model: type[Model], or_update: str | None, returns_key: bool) -> tuple[list["Field[Any, Any]"], str]:
    """Every name is one of the model's own: nothing of a caller's reaches the text."""
    quote = connection.ops.quote_name
    fields = [field for field in model._meta.concrete_fields if not (returns_key and field.primary_key)]
    columns = [quote(field.column) for field in fields]
    text = (
        f"INSERT INTO {quote(model._meta.db_table)} ({', '.join(columns)}) VALUES ({', '.join(['%s'] * len(columns))})"  # noqa: S608
    )
    if or_update is not None:
        key = quote(model._meta.get_field(or_update).column)
        changes = ", ".join(f"{column} = EXCLUDED.{column}" for column in columns if column != key)
        text += f" ON CONFLICT ({key}) DO UPDATE SET {changes}"
    return fields, text + (f" RETURNING {quote(model._meta.pk.column)}" if returns_key else "")
