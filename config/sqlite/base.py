"""The database backend of embedded mode (`ENGINE: "config.sqlite"`)."""

import hashlib
from typing import Any

from django.db.backends.sqlite3 import base

from config.sqlite.turns import Turn

PRAGMAS = (
    # Readers never wait for the writer, and the writer never for readers.
    "PRAGMA journal_mode = WAL",
    # FULL syncs the log at every commit: an acknowledged event survives a power cut too. NORMAL
    # would survive kill -9 only, and the ledger promises that nothing acknowledged is lost.
    "PRAGMA synchronous = FULL",
    # The ledger's insert trigger calls lastword_sha256; a build with another default forbids that.
    "PRAGMA trusted_schema = ON",
)


def sha256_hex(value: str | bytes | None) -> str | None:
    """SHA-256 of a text's UTF-8 bytes (or of a blob), in hexadecimal; NULL stays NULL."""
    if value is None:
        return None
    data = value if isinstance(value, bytes) else str(value).encode()
    return hashlib.sha256(data).hexdigest()


class DatabaseWrapper(base.DatabaseWrapper):
    """SQLite that syncs every commit, can hash in SQL, and queues this process's writers, on every connection."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._turn = Turn(str(self.settings_dict["NAME"]))

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        connection = super().get_new_connection(conn_params)
        connection.create_function("lastword_sha256", 1, sha256_hex, deterministic=True)
        for pragma in PRAGMAS:
            connection.execute(pragma)
        return connection

    def _start_transaction_under_autocommit(self) -> None:
        if self.transaction_mode == "DEFERRED":  # a reader's one moment, which no writer has to wait for
            super()._start_transaction_under_autocommit()
            return
        self._turn.take(timeout=self.settings_dict["OPTIONS"].get("timeout", 5))
        try:
            super()._start_transaction_under_autocommit()
        except BaseException:
            self._turn.give_up()
            raise

    def _commit(self) -> None:
        super()._commit()
        self._turn.give_up()

    def _rollback(self) -> None:
        super()._rollback()
        self._turn.give_up()

    def _set_autocommit(self, autocommit: bool) -> None:
        super()._set_autocommit(autocommit)
        if autocommit:
            self._turn.give_up()

    def _close(self) -> None:
        try:
            super()._close()
        finally:
            self._turn.give_up()
