"""Trails: what happened in a conversation and who looked at it; what somebody did and what they looked at."""

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q

from audit.models import EventEntry
from audit.search.moments import PLACES, first_key, moment_of
from audit.search.words import texts_in
from audit.selectors.people import SomebodyNamed, names_of
from conversations.domain.events import ERASED
from conversations.models import AccessLog, Event, Relationship
from conversations.selectors.relationships import relationships
from conversations.selectors.summaries import parties_include

PAGE = 50
WINDOW = 200
EXCERPT = 200
# Ids, hashes and moments say nothing to a reader.
OPAQUE = re.compile(r"[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{64}|\d{4}-\d\d-\d\dT[\d:.]+Z")


@dataclass(frozen=True, slots=True)
class Trace:
    """One line of a trail: an event of a chain, or a look at something."""

    key: int
    at: datetime
    what: str
    actor: str
    who: str
    relationship: Relationship | None = None
    seq: int | None = None
    hash: str = ""
    excerpt: str = ""
    payload: str | None = None
    is_look: bool = False


def traces_of(keys: Iterable[int]) -> list[Trace]:
    """The events of these entries, newest first, with the names of who acted and an excerpt of what is left."""
    entries = list(
        EventEntry.objects.filter(key__in=list(keys))
        .select_related("event__payload", "relationship__initiator", "relationship__responder")
        .order_by("-key")
    )
    names = names_of(entry.actor for entry in entries)
    return [trace(entry.event, entry.relationship, names, key=entry.key) for entry in entries]


def trail_of(relationship: Relationship, *, after_seq: int) -> list[Trace]:
    """A window of a conversation's events, in order, whole."""
    events = list(
        Event.objects.filter(relationship=relationship, seq__gt=after_seq)
        .select_related("payload")
        .order_by("seq")[:WINDOW]
    )
    names = names_of(event.actor for event in events)
    return [trace(event, relationship, names) for event in events]


def trace(event: Event, relationship: Relationship, names: dict[str, str], *, key: int = 0) -> Trace:
    text = payload_of(event)
    return Trace(
        key=key,
        at=event.at,
        what=event.type,
        actor=event.actor,
        who=names.get(event.actor, event.actor),
        relationship=relationship,
        seq=event.seq,
        hash=event.hash,
        excerpt=excerpt_of(text),
        payload=text,
    )


def payload_of(event: Event) -> str | None:
    """What is left of the words, in the canonical text that was hashed."""
    payload = getattr(event, "payload", None)
    return None if payload is None else payload.text


def excerpt_of(text: str | None) -> str:
    try:
        told: Any = json.loads(text) if text else {}
    except ValueError:  # somebody broke it; the verification is what tells of it
        return ""
    return " · ".join(part for part in texts_in(told) if part and not OPAQUE.fullmatch(part))[:EXCERPT]


def erasures_of(relationship: Relationship) -> dict[int, str]:
    """Which events of a conversation were erased, on what basis."""
    texts = Event.objects.filter(relationship=relationship, type=ERASED).values_list("payload__text", flat=True)
    marks = (json.loads(text) for text in texts if text)
    return {mark["seq"]: mark["basis"] for mark in marks}


def looks_at(relationship: Relationship) -> list[AccessLog]:
    """Who looked at a conversation lately."""
    looks = AccessLog.objects.filter(relationship=relationship).select_related("user", "key")
    return list(looks[:WINDOW])


def deeds_of(person: SomebodyNamed, *, before: int | None) -> tuple[list[Trace], int | None]:
    """What somebody did and looked at, newest first, and where the next page begins."""
    acts = EventEntry.objects.filter(actor=person.actor)
    looks = looks_of(person)
    if before is not None:
        acts, looks = acts.filter(key__lt=before), looks.filter(at__lt=moment_of(before + PLACES - 1))
    keys = list(acts.order_by("-key").values_list("key", flat=True)[: PAGE + 1])
    lines = [*traces_of(keys), *(look_line(look, person) for look in looks[: PAGE + 1])]
    lines = [line for line in lines if before is None or line.key < before]
    lines.sort(key=lambda line: line.key, reverse=True)
    return lines[:PAGE], lines[PAGE - 1].key if len(lines) > PAGE else None


def looks_of(person: SomebodyNamed) -> Any:
    """A person's reads, at the console and through keys of theirs; a participant reads nothing of ours."""
    by = {"user": Q(user=person.id), "key": Q(key=person.id)} if person.kind != "participant" else {}
    looks = AccessLog.objects.filter(by[person.kind]) if by else AccessLog.objects.none()
    return looks.select_related("relationship__initiator", "relationship__responder").order_by("-at", "-id")


def look_line(look: AccessLog, person: SomebodyNamed) -> Trace:
    return Trace(
        key=first_key(look.at) + look.pk % PLACES,
        at=look.at,
        what=look.what,
        actor=person.actor,
        who=person.name,
        relationship=look.relationship,
        excerpt=look.about,
        is_look=True,
    )


def conversations_of(participant_id: UUID) -> list[Relationship]:
    """The latest conversations somebody is a party to."""
    rows = relationships().filter(parties_include(participant_id))
    return list(rows.order_by("-created_at", "-id")[:PAGE])
