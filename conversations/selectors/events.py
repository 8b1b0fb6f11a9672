"""Events as pure values, in chain order."""

import json
from collections.abc import Collection
from uuid import UUID

from conversations.domain.events import Recorded
from conversations.models import Event, Relationship


def chain_of(relationship: Relationship, *, after_seq: int = 0, limit: int | None = None) -> list[Recorded]:
    """The relationship's events after a sequence number, with what is left of their payloads."""
    return events_after(relationship.pk, after_seq, limit=limit)


def events_after(relationship_id: UUID, after_seq: int, *, limit: int | None = None) -> list[Recorded]:
    """The same for who has the relationship's id only."""
    events = Event.objects.filter(relationship_id=relationship_id, seq__gt=after_seq).order_by("seq")
    page = events if limit is None else events[:limit]
    return [as_recorded(event) for event in page.select_related("payload")]


def chains_of(relationship_ids: Collection[UUID]) -> dict[UUID, list[Recorded]]:
    """The whole chains of several relationships, in one query."""
    chains: dict[UUID, list[Recorded]] = {relationship_id: [] for relationship_id in relationship_ids}
    events = Event.objects.filter(relationship__in=relationship_ids).order_by("relationship", "seq")
    columns = ("relationship_id", "seq", "type", "at", "actor", "payload__text", "hash", "prev_hash")
    for relationship_id, seq, kind, at, actor, text, *hashes in events.values_list(*columns).iterator():
        payload = None if text is None else json.loads(text)
        chains[relationship_id].append(Recorded(seq, kind, at, actor, payload, *hashes))
    return chains


def as_recorded(event: Event) -> Recorded:
    """A row as a value; a payload that was erased is None."""
    payload = getattr(event, "payload", None)
    return Recorded(
        seq=event.seq,
        type=event.type,
        at=event.at,
        actor=event.actor,
        payload=None if payload is None else json.loads(payload.text),
        hash=event.hash,
        prev_hash=event.prev_hash,
    )
