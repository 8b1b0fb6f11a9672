"""Rows of a told story with slots where a copy differs: ids, moments, hashes, the customer's handle, a few words."""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from django.db import connection, models

from audit.ledger.chain import header_text
from bench.bulk_stories import PLACEHOLDER, Story
from conversations.domain import handoff, workflow_steps
from conversations.domain.events import INTENT
from conversations.domain.hash_chain import GENESIS, commitment, header_hash
from conversations.domain.times import from_text
from conversations.domain.turns import TURN
from conversations.models import (
    Dialogue,
    Event,
    FlowRun,
    Handoff,
    LoopFinding,
    LoopWatch,
    OutboxMessage,
    Participant,
    Relationship,
    TurnLog,
)

BESIDE: tuple[type[models.Model], ...] = (Handoff, FlowRun, TurnLog, LoopWatch, LoopFinding, Dialogue)
SPOKEN = (INTENT, TURN, workflow_steps.TAKEN, handoff.REPLIED)
ISO = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z"
Row = list[Any]


@dataclass(frozen=True, slots=True)
class Id:
    key: UUID
    dashed: bool


@dataclass(frozen=True, slots=True)
class Moment:
    after: timedelta
    in_text: bool


@dataclass(frozen=True, slots=True)
class Hash:
    of: str


class Slot:
    """The customer's handle, or the placeholder."""

    HANDLE, WORDS = "handle", "words"


@dataclass(frozen=True, slots=True)
class Copy:
    """What is this copy's own."""

    begin: datetime
    customer: UUID
    handle: str
    words: str
    ids: Mapping[UUID, UUID]
    hashes: dict[str, str]


def moment_column(moment: datetime) -> str:
    return (
        f"{moment:%Y-%m-%d %H:%M:%S.%f}+00" if connection.vendor == "postgresql" else str(moment.replace(tzinfo=None))
    )


def moment_text(moment: datetime) -> str:
    return moment.replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


class Template:
    """One story, ready to be copied."""

    def __init__(self, story: Story) -> None:
        self.story = story
        rows = Relationship.objects.filter(pk__in=story.relationships).order_by("created_at")
        self.customer: Participant = rows[0].responder
        ids = {*story.relationships, self.customer.pk}
        for model in (Handoff, LoopFinding):
            ids |= set(model.objects.filter(relationship__in=story.relationships).values_list("pk", flat=True))
        self.ids = ids
        events = Event.objects.filter(relationship__in=story.relationships)
        self.hashes = list(events.order_by("id").values_list("hash", flat=True))
        self.slots = re.compile(
            "|".join(
                [
                    *(str(one) for one in ids),
                    *(one.hex for one in ids),
                    *self.hashes,
                    re.escape(self.customer.handle),
                    PLACEHOLDER,
                    ISO,
                ]
            )
        )
        # a family's first conversation comes first: its follow-up refers to it
        self.relationships = [self.compiled(Relationship, "id", one.pk)[0] for one in rows]
        self.events = [
            (
                event.relationship_id,
                event.seq,
                event.type,
                event.at - story.begin,
                self.cell(event.actor),
                self.cell(event.payload.text),
            )
            for event in events.select_related("payload").order_by("id")
        ]
        self.beside = {
            model: [row for key in story.relationships for row in self.compiled(model, "relationship_id", key)]
            for model in BESIDE
        }
        self.turns = sum(kind in SPOKEN or kind.startswith("response_") for _, _, kind, *_ in self.events)

    def compiled(self, model: type[models.Model], column: str, key: UUID) -> list[Row]:
        """The rows of one conversation in a table, as the database spells them, with slots."""
        fields = stored_fields(model)
        cast = "::text" if connection.vendor == "postgresql" else ""
        names = ", ".join(f'"{field.column}"{cast}' for field in fields)
        held = key if connection.vendor == "postgresql" else key.hex
        with connection.cursor() as cursor:
            cursor.execute(f'SELECT {names} FROM "{model._meta.db_table}" WHERE "{column}" = %s', [held])
            rows = cursor.fetchall()
        return [[self.column(field, value) for field, value in zip(fields, row, strict=True)] for row in rows]

    def column(self, field: Any, value: Any) -> Any:
        if value is not None and isinstance(field, models.DateTimeField):
            moment = value if isinstance(value, datetime) else datetime.fromisoformat(value)
            return Moment(moment.replace(tzinfo=UTC) - self.story.begin, in_text=False)
        return self.cell(value) if isinstance(value, str) else value

    def cell(self, text: str) -> Any:
        """The text as it is, or in parts where something in it is the copy's own."""
        parts: list[Any] = []
        last = 0
        for found in self.slots.finditer(text):
            parts += [text[last : found.start()], self.slot(found.group())]
            last = found.end()
        return text if not parts else (*parts, text[last:])

    def slot(self, text: str) -> Any:
        if text == PLACEHOLDER:
            return Slot.WORDS
        if text == self.customer.handle:
            return Slot.HANDLE
        if text in self.hashes:
            return Hash(text)
        if "T" in text:
            return Moment(from_text(text) - self.story.begin, in_text=True)
        return Id(UUID(text), dashed="-" in text)

    def copy(self, *, begin: datetime, customer: UUID, handle: str, words: str) -> Copy:
        ids = {one: uuid4() for one in self.ids}
        ids[self.customer.pk] = customer
        return Copy(begin, customer, handle, words, ids, {})


def stored_fields(model: type[models.Model]) -> list[Any]:
    """The columns a copy writes; a number the database gives itself is none of them."""
    return [field for field in model._meta.concrete_fields if not isinstance(field, models.AutoField)]


def rendered(cell: Any, copy: Copy) -> Any:
    if isinstance(cell, Moment):
        return moment_column(copy.begin + cell.after)
    return "".join(part(one, copy) for one in cell) if isinstance(cell, tuple) else cell


def part(one: Any, copy: Copy) -> str:
    if isinstance(one, Id):
        key = copy.ids[one.key]
        return str(key) if one.dashed else key.hex
    if isinstance(one, Moment):
        return moment_text(copy.begin + one.after)
    if isinstance(one, Hash):
        return copy.hashes[one.of]
    if one is Slot.WORDS:
        return copy.words
    return copy.handle if one is Slot.HANDLE else str(one)


def events_of(template: Template, copy: Copy, first_id: int) -> Iterator[tuple[Row, Row, Row]]:
    """Event, payload and leaf rows, linked anew."""
    heads: dict[UUID, str] = {}
    for number, (relationship, seq, kind, after, actor, words) in enumerate(template.events):
        key, at = copy.ids[relationship], copy.begin + after
        text, salt = rendered(words, copy), os.urandom(32)
        prev = heads.get(relationship, GENESIS)
        told = {
            "relationship": str(key),
            "seq": seq,
            "type": kind,
            "at": moment_text(at),
            "actor": rendered(actor, copy),
            "commitment": commitment(salt, text),
            "prev": prev,
        }
        header = header_text(**told)
        hashed = heads[relationship] = copy.hashes[template.hashes[number]] = header_hash(header)
        stored = str(key) if connection.vendor == "postgresql" else key.hex
        row = [first_id + number, seq, kind, moment_column(at), told["actor"], told["commitment"], prev, hashed, header]
        yield [*row, stored], [first_id + number, salt, text], [first_id + number, hashed]


EVENT_COLUMNS = ("id", "seq", "type", "at", "actor", "commitment", "prev_hash", "hash", "header", "relationship_id")
PAYLOAD_COLUMNS = ("event_id", "salt", "text")
LEAF_COLUMNS = ("event_id", "hash", "index")
OUTBOX_COLUMNS = tuple(field.column for field in stored_fields(OutboxMessage))


def announced(event_id: int, at: str) -> Row:
    """The event's row in the outbox, long delivered."""
    told = {"destination": "audience", "event_id": event_id, "body": "{}", "created_at": at, "available_at": at}
    told |= {"delivered_at": at, "attempts": 1, "part": 0, "lane": "", "last_error": "", "abandoned_at": None}
    return [told[column] for column in OUTBOX_COLUMNS]
