"""Taking the ledger's triggers away, as only tests and forgers with the database owner's password do."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

from audit import ledger_triggers as log_triggers
from conversations import ledger_triggers as chain_triggers


@contextmanager
def ledger_guards_lifted() -> Iterator[None]:
    # PostgreSQL alters no table while a foreign key check is pending on it
    connection.check_constraints()
    log_triggers.lift(connection)
    chain_triggers.lift(connection)
    try:
        yield
    finally:
        connection.check_constraints()
        chain_triggers.install(connection)
        log_triggers.install(connection)


# What `migrate` fills in and no test changes.
KEPT = {"django_content_type", "auth_permission"}


def empty_every_table() -> None:
    """What Django's own `flush` does, without making each permission anew, which takes seconds a time."""
    tables = set(connection.introspection.django_table_names(only_existing=True, include_views=False)) - KEPT
    with ledger_guards_lifted(), transaction.atomic(), connection.cursor() as cursor:
        for table in sorted(tables):
            quoted = connection.ops.quote_name(table)
            cursor.execute(f"SELECT 1 FROM {quoted} LIMIT 1")
            if cursor.fetchone():
                cursor.execute(f"DELETE FROM {quoted}")
