"""Fills an empty database with many conversations, fast: `python -m bench.bulk --turns 100000`.

A few dozen stories go through the services (`bench.bulk_stories`); copies of their rows follow in bulk, with ids,
moments, words and customers of their own and every hash made anew, so that `manage.py audit_verify` finds the whole
ledger sound. The database is the environment's (DATABASE_URL, or SQLite in LASTWORD_DATA). A turn is whatever somebody
said: an intent, a response, a visitor's turn, an agent's step, an operator's reply.
"""

import argparse
import io
import os
import random
import sys
import time
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

BATCH = 400  # stories between two writes
DAYS = 90
OPEN_AT_MOST = 1000
SYLLABLES = (
    "ba",
    "cor",
    "del",
    "fin",
    "gar",
    "hol",
    "jun",
    "kes",
    "lom",
    "mir",
    "nov",
    "pel",
    "qua",
    "ros",
    "sul",
    "tev",
)


def set_up() -> None:
    os.environ.setdefault("LASTWORD_SECRET_KEY", "benchmarks only, and long enough to pass: 0123456789 abcdefghij")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--turns", type=int, default=100_000)
    set_up()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    begin = time.perf_counter()
    filled = fill(arguments.parse_args().turns)
    print(f"{filled} in {time.perf_counter() - begin:.0f} s")


def fill(turns: int, *, now: datetime | None = None) -> dict[str, int]:
    """At least that many turns, numbered and signed; says what there is. Refuses a database that is not empty."""
    from django.db import connection
    from django.utils import timezone

    from audit.services.checkpoints import make_checkpoint
    from bench.bulk_copies import Template
    from bench.bulk_stories import told_stories
    from conversations.models import Event, OutboxMessage

    if Event.objects.exists():
        sys.exit("the database is not empty: give the benchmark one of its own")
    now = now or timezone.now()
    templates = [Template(story) for story in told_stories()]
    OutboxMessage.objects.update(delivered_at=now)  # nobody listens here
    make_checkpoint(now=now)
    with guards_lifted():
        filled = copy_all(templates, turns=turns, now=now)
    make_checkpoint(now=now)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    return filled


def guards_lifted() -> Any:
    """Triggers check row by row what is checked as a whole afterwards; they are back when the copies are in."""
    from contextlib import contextmanager

    from django.db import connection

    from audit import ledger_triggers as log
    from conversations import ledger_triggers as chain

    @contextmanager
    def lifted() -> Any:
        for guards in (log, chain):
            guards.lift(connection)
        try:
            yield
        finally:
            for guards in (chain, log):
                guards.install(connection)

    return lifted()


def copy_all(templates: list[Any], *, turns: int, now: datetime) -> dict[str, int]:
    """Closed conversations over the last months in the order they happened, then those that are open right now."""
    from conversations.models import Event

    chance = random.Random(turns)
    closed = [template for template in templates if not template.story.is_open]
    opened = [template for template in templates if template.story.is_open]
    mean = sum(template.turns for template in closed) / len(closed)
    stories = int(turns / mean) + 1
    customers = make_customers(max(50, stories // 4))
    writer = Writer(Event.objects.order_by("-pk").values_list("pk", flat=True)[0] + 1)
    begin, span = now - timedelta(days=DAYS), timedelta(days=DAYS - 2)
    for number in range(stories):
        at = begin + span * (number / stories) + timedelta(seconds=chance.randrange(3600))
        writer.add(chance.choice(closed), at, chance, customers)
    for _ in range(min(OPEN_AT_MOST, stories // 10)):
        template = chance.choice(opened)
        at = now - (template.story.end - template.story.begin) - timedelta(minutes=chance.randrange(20 * 60))
        writer.add(template, at, chance, customers)
    writer.flush()
    reset_sequences()
    return {"turns": writer.turns, "events": writer.events, "conversations": writer.conversations}


def make_customers(count: int) -> list[tuple[UUID, str]]:
    from conversations.models import Participant

    made = [(uuid4(), f"customer-{number:06d}") for number in range(count)]
    Participant.objects.bulk_create((Participant(pk=key, handle=handle) for key, handle in made), batch_size=2000)
    return made


def words_for(chance: random.Random) -> str:
    """A reference nobody else has, and two words many share."""
    names = ["".join(chance.choices(SYLLABLES, k=3)) for _ in range(2)]
    return f"REF{chance.randrange(10**9):09d} {' '.join(names)}"


class Writer:
    """Collects rows by table and writes them a batch at a time, tree nodes included."""

    def __init__(self, first_event: int) -> None:
        from audit.selectors.tree import right_edge, tree_size

        self.next_event = first_event
        self.tree = right_edge(tree_size())
        self.rows: dict[tuple[str, tuple[str, ...]], list[list[Any]]] = {}
        self.turns = self.events = self.conversations = self.pending = 0

    def add(self, template: Any, begin: datetime, chance: random.Random, customers: Sequence[tuple[UUID, str]]) -> None:
        from bench import bulk_copies as copies
        from conversations.models import Relationship

        key, handle = chance.choice(customers)
        copy = template.copy(begin=begin, customer=key, handle=handle, words=words_for(chance))
        tables: dict[str, list[list[Any]]] = {"event": [], "payload": [], "leaf": [], "outbox": [], "node": []}
        for event, payload, leaf in copies.events_of(template, copy, self.next_event):
            tables["event"].append(event)
            tables["payload"].append(payload)
            tables["leaf"].append([*leaf, self.tree.size])
            tables["outbox"].append(copies.announced(event[0], event[3]))
            nodes = self.tree.append(bytes.fromhex(leaf[1]))
            tables["node"] += [[node.level, node.position, node.hash] for node in nodes]
        for model, compiled in ((Relationship, template.relationships), *template.beside.items()):
            columns = tuple(field.column for field in copies.stored_fields(model))
            self.put(model._meta.db_table, columns, [[copies.rendered(cell, copy) for cell in row] for row in compiled])
        self.put("conversations_event", copies.EVENT_COLUMNS, tables["event"])
        self.put("conversations_eventpayload", copies.PAYLOAD_COLUMNS, tables["payload"])
        self.put("audit_leaf", copies.LEAF_COLUMNS, tables["leaf"])
        self.put("audit_merklenode", ("level", "index", "hash"), tables["node"])
        self.put("conversations_outboxmessage", copies.OUTBOX_COLUMNS, tables["outbox"])
        self.next_event += len(template.events)
        self.events += len(template.events)
        self.turns += template.turns
        self.conversations += len(template.relationships)
        self.pending += 1
        if self.pending >= BATCH:
            self.flush()

    def put(self, table: str, columns: tuple[str, ...], rows: list[list[Any]]) -> None:
        self.rows.setdefault((table, columns), []).extend(rows)

    def flush(self) -> None:
        """Relationships are put first, so that what refers to them finds them."""
        from django.db import transaction

        with transaction.atomic():
            for (table, columns), rows in self.rows.items():
                write(table, columns, rows)
        self.rows.clear()
        self.pending = 0


def write(table: str, columns: tuple[str, ...], rows: Iterable[list[Any]]) -> None:
    """COPY, or one statement for many rows."""
    from django.db import connection

    names = ", ".join(f'"{column}"' for column in columns)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f'COPY "{table}" ({names}) FROM STDIN') as lines:
                lines.write(copy_text(rows))
        else:
            marks = ", ".join(["%s"] * len(columns))
            cursor.executemany(f'INSERT INTO "{table}" ({names}) VALUES ({marks})', rows)


def copy_text(rows: Iterable[list[Any]]) -> str:
    """PostgreSQL's text format, by hand: the driver's own adaptation costs three times as much."""
    out = io.StringIO()
    for row in rows:
        out.write("\t".join(copy_cell(value) for value in row) + "\n")
    return out.getvalue()


def copy_cell(value: Any) -> str:
    if value is None:
        return r"\N"
    if isinstance(value, bytes):
        return rf"\\x{value.hex()}"
    text = str(value)
    return text.replace("\\", r"\\").replace("\n", r"\n").replace("\t", r"\t").replace("\r", r"\r")


def reset_sequences() -> None:
    from django.apps import apps
    from django.core.management.color import no_style
    from django.db import connection

    models = [model for app in ("conversations", "audit") for model in apps.get_app_config(app).get_models()]
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), models):
            cursor.execute(statement)


if __name__ == "__main__":
    main()
