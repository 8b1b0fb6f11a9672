"""The whole ledger as streams of plain rows, in one snapshot: what a verification reads, fast."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import connection, transaction

from audit.ledger.chain import EventRow

CHUNK = 2000

EVENTS = """
SELECT {relationship}, e.seq, e.type, {moment}, e.actor, e.commitment, e.prev_hash, e.hash, e.header,
       p.salt, p.text, l.hash
FROM conversations_event e
LEFT JOIN conversations_eventpayload p ON p.event_id = e.id
LEFT JOIN audit_leaf l ON l.event_id = e.id
{where} ORDER BY e.relationship_id, e.seq
"""
HEADS = "SELECT {relationship}, r.head_seq, r.head_hash FROM fir_a_relationships r {where} ORDER BY r.id"
TOUCHED = """
SELECT e.relationship_id FROM conversations_event e JOIN audit_leaf l ON l.event_id = e.id
WHERE l."index" >= %s OR l."index" IS NULL
"""
LEAVES = 'SELECT "index", hash FROM audit_leaf WHERE "index" >= %s ORDER BY "index"'
NODES = 'SELECT level, "index", hash FROM audit_merklenode WHERE id > %s ORDER BY id'


# Ids and moments as headers spell them, made by the database: in Python that would cost as much as all the hashing.
TEXT_OF_ID = {
    "postgresql": "{column}::text",
    "sqlite": "substr({column}, 1, 8) || '-' || substr({column}, 9, 4) || '-' || substr({column}, 13, 4)"
    " || '-' || substr({column}, 17, 4) || '-' || substr({column}, 21)",
}
TEXT_OF_MOMENT = {
    "postgresql": """to_char(e.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')""",
    # a whole second is stored without its fraction
    "sqlite": "substr(e.at, 1, 10) || 'T' || substr(e.at, 12)"
    " || CASE length(e.at) WHEN 19 THEN '.000000Z' ELSE 'Z' END",
}


@dataclass(frozen=True, slots=True)
class Scope:
    """Which relationships are read: all, one, or those with an event since a tree size."""

    relationship: UUID | None = None
    since_size: int | None = None

    def where(self, column: str) -> tuple[str, list[Any]]:
        if self.relationship is not None:
            hexadecimal = connection.vendor != "postgresql"
            return f"WHERE {column} = %s", [self.relationship.hex if hexadecimal else self.relationship]
        if self.since_size is not None:
            return f"WHERE {column} IN ({TOUCHED})", [self.since_size]
        return "", []


@contextmanager
def snapshot() -> Iterator[None]:
    """One moment for every query inside, without holding up writers."""
    if connection.in_atomic_block:
        yield
    elif connection.vendor == "postgresql":
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield
    else:
        connection.ensure_connection()  # only a connected wrapper knows its mode
        mode = connection.transaction_mode
        connection.transaction_mode = "DEFERRED"  # the default would take the write lock
        try:
            with transaction.atomic():
                yield
        finally:
            connection.transaction_mode = mode


def stream(sql: str, parameters: Sequence[Any]) -> Iterator[Any]:
    """The query's rows, a chunk at a time."""
    with connection.chunked_cursor() as cursor:
        cursor.execute(sql, parameters)
        while rows := cursor.fetchmany(CHUNK):
            yield from rows


def event_rows(scope: Scope) -> Iterator[EventRow]:
    """Every event in scope, by relationship and seq."""
    where, parameters = scope.where("e.relationship_id")
    relationship = TEXT_OF_ID[connection.vendor].format(column="e.relationship_id")
    moment = TEXT_OF_MOMENT[connection.vendor]
    return stream(EVENTS.format(relationship=relationship, moment=moment, where=where), parameters)


def head_rows(scope: Scope) -> Iterator[tuple[str, int, str]]:
    """Relationship, head seq, head hash, in the same order as the events."""
    where, parameters = scope.where("r.id")
    relationship = TEXT_OF_ID[connection.vendor].format(column="r.id")
    return stream(HEADS.format(relationship=relationship, where=where), parameters)


def leaf_rows(*, start: int) -> Iterator[tuple[int, str]]:
    """Index and event hash of every numbered leaf from `start` on."""
    return stream(LEAVES, [start])


def node_rows(*, after_id: int) -> Iterator[tuple[int, int, bytes]]:
    """Level, index and hash of the stored subtrees, in the order they were completed."""
    return stream(NODES, [after_id])
