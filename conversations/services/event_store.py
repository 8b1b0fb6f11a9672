"""The one door through which events enter the chain."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from conversations.domain.canonical import canonical_text
from conversations.domain.events import Recorded
from conversations.domain.hash_chain import SALT_BYTES, Header, commitment, header_hash
from conversations.domain.times import to_text
from conversations.models import Event, EventPayload, Relationship
from conversations.prepared import store
from conversations.selectors.events import as_recorded
from conversations.services import broadcast, outbox, projections


@dataclass(frozen=True, slots=True)
class NewEvent:
    """An event about to happen."""

    type: str
    actor: str
    payload: Mapping[str, Any]

    @property
    def content(self) -> Mapping[str, Any]:
        """Under the name that what is recorded has it by."""
        return self.payload


def append(relationship: Relationship, new: NewEvent, *, now: datetime) -> Recorded:
    """Writes header, payload, outbox row and the columns the event changes.

    The caller holds the relationship's row lock inside a transaction: the chain has one writer at a time.
    """
    return append_each([(relationship, new)], now=now)[0]


def append_each(news: Sequence[tuple[Relationship, NewEvent]], *, now: datetime) -> list[Recorded]:
    """The next event of several conversations, one each, in as many statements as one takes; all locked as above."""
    links = [link(relationship, new, now=now) for relationship, new in news]
    store([event for event, _ in links])
    for event, payload in links:
        payload.event = event
    store([payload for _, payload in links])
    events = [event for event, _ in links]
    # what is announced and answered is what was stored, not what was passed in
    recorded = [as_recorded(event) for event in events]
    told = list(zip((relationship for relationship, _ in news), recorded, strict=True))
    projections.apply(told)
    outbox.announce(events, now=now)
    broadcast.publish_on_commit(told)
    return recorded


def link(relationship: Relationship, new: NewEvent, *, now: datetime) -> tuple[Event, EventPayload]:
    """The next link of the chain, unsaved."""
    text = canonical_text(new.payload)
    salt = secrets.token_bytes(SALT_BYTES)
    header = Header(
        relationship=str(relationship.id),
        seq=relationship.head_seq + 1,
        type=new.type,
        at=to_text(now),
        actor=new.actor,
        commitment=commitment(salt, text),
        prev=relationship.head_hash,
    )
    header_text = header.text()
    event = Event(
        relationship=relationship,
        seq=header.seq,
        type=header.type,
        at=now,
        actor=header.actor,
        commitment=header.commitment,
        prev_hash=header.prev,
        hash=header_hash(header_text),
        header=header_text,
    )
    return event, EventPayload(salt=salt, text=text)
