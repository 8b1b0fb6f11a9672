"""Some work has one worker at a time; a second one is harmless because it waits or goes away."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

# Any constant numbers, known to every process.
LOG = 0x1A57_0F_10_6
LABEL_SAMPLES = 0x1A57_0F_5A_3
AUDIENCE = 0x1A57_0F_A0_D


@contextmanager
def only_writer(*, wait: bool, of: int = LOG) -> Iterator[bool]:
    """A transaction that alone may do the work `of` that name; yields False when another one is at it.

    SQLite's transactions take the write lock as they begin, so there the transaction itself is the lock.
    """
    with transaction.atomic():
        if connection.vendor != "postgresql":
            yield True
            return
        function = "pg_advisory_xact_lock" if wait else "pg_try_advisory_xact_lock"
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {function}(%s)", [of])
            taken = cursor.fetchone()[0]
        yield wait or taken
