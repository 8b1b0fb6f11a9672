"""One writer at a time, woken when its turn comes.

SQLite itself lets a transaction wait by sleeping and looking again, up to a tenth of a second at a time, while the
database lies idle. Writers of one process queue here instead; those of other processes still meet SQLite's own lock.
"""

import threading
from collections import defaultdict

from django.db import OperationalError

_queues: dict[str, threading.Lock] = defaultdict(threading.Lock)


class Turn:
    """A connection's place among the writers of its database file."""

    def __init__(self, database: str) -> None:
        self._queue = _queues[database]
        self._mine = False

    def take(self, *, timeout: float) -> None:
        """Waits for the turn as long as SQLite itself would."""
        if not self._queue.acquire(timeout=timeout):
            raise OperationalError("database is locked")
        self._mine = True

    def give_up(self) -> None:
        """Lets the next one write; without a turn nothing happens."""
        if self._mine:
            self._mine = False
            self._queue.release()
