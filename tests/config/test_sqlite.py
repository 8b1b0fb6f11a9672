"""The embedded database keeps what it acknowledged and can hash in SQL."""

import hashlib
import threading

import pytest
from django.db import OperationalError, connection, transaction

from audit.selectors.ledger_rows import snapshot
from config.sqlite.turns import Turn

pytestmark = [pytest.mark.django_db, pytest.mark.sqlite]


def scalar(sql: str, *args: object) -> object:
    with connection.cursor() as cursor:
        cursor.execute(sql, args)
        return cursor.fetchone()[0]


def test_every_commit_is_synced_to_disk_in_write_ahead_mode() -> None:
    assert scalar("PRAGMA journal_mode") == "wal"
    assert scalar("PRAGMA synchronous") == 2  # FULL
    assert scalar("PRAGMA foreign_keys") == 1


def test_transactions_take_the_write_lock_when_they_begin() -> None:
    assert connection.transaction_mode == "IMMEDIATE"
    assert connection.settings_dict["OPTIONS"]["timeout"] >= 20


@pytest.mark.parametrize("text", ["", "abc", "grüße, ünïcode ☃", "x" * 10_000])
def test_sql_hashes_text_as_utf8(text: str) -> None:
    assert scalar("SELECT lastword_sha256(%s)", text) == hashlib.sha256(text.encode()).hexdigest()


def test_sql_hash_of_null_is_null() -> None:
    assert scalar("SELECT lastword_sha256(NULL)") is None


def test_a_trigger_may_call_the_hash() -> None:
    with connection.cursor() as cursor:
        cursor.execute("CREATE TEMP TABLE hashed (body text, hash text)")
        cursor.execute(
            "CREATE TEMP TRIGGER hashed_right BEFORE INSERT ON hashed "
            "WHEN NEW.hash != lastword_sha256(NEW.body) BEGIN SELECT RAISE(ABORT, 'wrong hash'); END"
        )
        cursor.execute("INSERT INTO hashed VALUES ('a', lastword_sha256('a'))")
    with pytest.raises(Exception, match="wrong hash"):
        scalar("INSERT INTO hashed VALUES ('a', 'b') RETURNING 1")


def test_writers_of_one_process_take_turns() -> None:
    first, second = Turn("one file"), Turn("one file")
    first.take(timeout=1)
    with pytest.raises(OperationalError, match="locked"):
        second.take(timeout=0.01)
    Turn("another file").take(timeout=0.01)
    waiting = threading.Thread(target=second.take, kwargs={"timeout": 30})
    waiting.start()
    first.give_up()
    waiting.join(30)
    assert not waiting.is_alive()
    with pytest.raises(OperationalError, match="locked"):
        first.take(timeout=0.01)


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("ending", ["commit", "error", "lost connection"])
def test_whatever_ends_a_transaction_ends_the_turn(ending: str) -> None:
    try:
        with transaction.atomic():
            assert not written_elsewhere()
            if ending == "error":
                raise ValueError
            if ending == "lost connection":
                connection.connection.close()
    except Exception:
        assert ending != "commit"
    assert written_elsewhere()


@pytest.mark.django_db(transaction=True)
def test_a_reader_of_one_moment_holds_no_writer_up() -> None:
    with snapshot():
        scalar("SELECT count(*) FROM conversations_event")
        assert not connection._turn._mine
        assert written_elsewhere()
    with transaction.atomic():
        assert connection._turn._mine


def written_elsewhere() -> bool:
    """Whether a writer with a connection of its own gets its turn."""
    got: list[bool] = []

    def write() -> None:
        connection.settings_dict = {
            **connection.settings_dict,
            "OPTIONS": {**connection.settings_dict["OPTIONS"], "timeout": 0.05},
        }
        try:
            with transaction.atomic():
                got.append(True)
        except OperationalError:
            got.append(False)
        finally:
            connection.close()

    writer = threading.Thread(target=write)
    writer.start()
    writer.join(30)
    return got[0]
