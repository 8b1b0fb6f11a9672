"""The words of events, indexed in both databases; a payload that is erased takes its words along, in the database.

Words are cut by `audit.search.words` for the index and for the question alike, so that both databases find the same.
"""

from collections.abc import Sequence
from typing import Any

from conversations.ledger_triggers import run

TABLE = "audit_eventwords"
ENTRY = "audit_evententry"
PAYLOAD = "conversations_eventpayload"

POSTGRES_INSTALL = (
    f"CREATE TABLE {TABLE} (key bigint PRIMARY KEY, words tsvector NOT NULL)",
    f"CREATE INDEX event_words ON {TABLE} USING gin (words)",
    f"""CREATE OR REPLACE FUNCTION lastword_forget_words() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM {TABLE} WHERE key IN (SELECT key FROM {ENTRY} WHERE event_id = OLD.event_id);
  RETURN NULL;
END $$""",
    f"""CREATE TRIGGER lastword_words_erased AFTER DELETE ON {PAYLOAD}
  FOR EACH ROW EXECUTE FUNCTION lastword_forget_words()""",
    f"ALTER TABLE {PAYLOAD} ENABLE ALWAYS TRIGGER lastword_words_erased",
)
POSTGRES_LIFT = (
    f"DROP TRIGGER IF EXISTS lastword_words_erased ON {PAYLOAD}",
    "DROP FUNCTION IF EXISTS lastword_forget_words()",
    f"DROP TABLE IF EXISTS {TABLE}",
)
SQLITE_INSTALL = (
    f"CREATE VIRTUAL TABLE {TABLE} USING fts5(words, tokenize='unicode61 remove_diacritics 2')",
    f"""CREATE TRIGGER lastword_words_erased AFTER DELETE ON {PAYLOAD} BEGIN
  DELETE FROM {TABLE} WHERE rowid IN (SELECT key FROM {ENTRY} WHERE event_id = OLD.event_id); END""",
)
SQLITE_LIFT = ("DROP TRIGGER IF EXISTS lastword_words_erased", f"DROP TABLE IF EXISTS {TABLE}")

POSTGRES_INSERT = f"""INSERT INTO {TABLE} (key, words) VALUES (%s, array_to_tsvector(%s::text[]))
ON CONFLICT (key) DO UPDATE SET words = excluded.words"""
SQLITE_INSERT = f"INSERT OR REPLACE INTO {TABLE} (rowid, words) VALUES (%s, %s)"
POSTGRES_MATCH = f"""SELECT key FROM {TABLE} WHERE words @@ %s::tsquery AND key >= %s AND key < %s
ORDER BY key DESC LIMIT %s"""
SQLITE_MATCH = f"""SELECT rowid FROM {TABLE} WHERE {TABLE} MATCH %s AND rowid >= %s AND rowid < %s
ORDER BY rowid DESC LIMIT %s"""
POSTGRES_AMONG = f"SELECT key FROM {TABLE} WHERE words @@ %s::tsquery AND key = ANY(%s)"
SQLITE_AMONG = f"SELECT rowid FROM {TABLE} WHERE {TABLE} MATCH %s AND rowid IN ({{marks}})"


def install(connection: Any) -> None:
    run(connection, POSTGRES_INSTALL if connection.vendor == "postgresql" else SQLITE_INSTALL)


def lift(connection: Any) -> None:
    run(connection, POSTGRES_LIFT if connection.vendor == "postgresql" else SQLITE_LIFT)


def insert(connection: Any, rows: Sequence[tuple[int, list[str]]]) -> None:
    """The words of events by their keys."""
    postgres = connection.vendor == "postgresql"
    with connection.cursor() as cursor:
        cursor.executemany(
            POSTGRES_INSERT if postgres else SQLITE_INSERT,
            [(key, words if postgres else " ".join(words)) for key, words in rows],
        )


def matching(connection: Any, terms: Sequence[str], *, first: int, end: int, limit: int) -> list[int]:
    """Keys in [first, end) of events with every term, newest first."""
    sql = POSTGRES_MATCH if connection.vendor == "postgresql" else SQLITE_MATCH
    return keys(connection, sql, [query_of(connection, terms), first, end, limit])


def matching_among(connection: Any, terms: Sequence[str], among: Sequence[int]) -> list[int]:
    """Those of the keys whose events have every term."""
    query = query_of(connection, terms)
    if connection.vendor == "postgresql":
        return keys(connection, POSTGRES_AMONG, [query, list(among)])
    return keys(connection, SQLITE_AMONG.format(marks=", ".join(["%s"] * len(among))), [query, *among])


def query_of(connection: Any, terms: Sequence[str]) -> str:
    """Terms are letters and digits, so that a quote around them is enough."""
    words = [(term.removesuffix("*"), term.endswith("*")) for term in terms]
    if connection.vendor == "postgresql":
        return " & ".join(f"'{word}'{':*' if is_beginning else ''}" for word, is_beginning in words)
    return " AND ".join(f'"{word}"{"*" if is_beginning else ""}' for word, is_beginning in words)


def keys(connection: Any, sql: str, parameters: list[Any]) -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return [key for (key,) in cursor.fetchall()]
