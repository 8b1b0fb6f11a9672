"""Ending a conversation: by its parties, by an operator, by its depth, or by the clock."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from conversations.access import Caller
from conversations.domain.closure import Chain, ClosureType, closure_event
from conversations.domain.errors import ConversationError
from conversations.domain.events import CLOSURE, Recorded
from conversations.domain.relationship import ConversationState, check_open
from conversations.models import Relationship
from conversations.selectors.events import chain_of
from conversations.selectors.relationships import locked
from conversations.services import event_store
from conversations.services.event_store import NewEvent

SYSTEM = "system"


def close_conversation(
    *, relationship_id: UUID, closure_type: ClosureType, caller: Caller, summary: str | None = None
) -> dict[str, Any]:
    """Closes an open conversation; a closed one answers with its closure and nothing changes (R6)."""
    with open_conversation(relationship_id, caller=caller) as (relationship, now):
        return closed(relationship, closure_type=closure_type, actor=caller.actor, now=now, summary=summary)


@contextmanager
def open_conversation(
    relationship_id: UUID, *, caller: Caller | None = None
) -> Iterator[tuple[Relationship, datetime]]:
    """Locks a conversation for an act that needs it open; one whose time is over is closed and refuses after commit."""
    with transaction.atomic():
        relationship = locked(relationship_id, caller=caller)
        now = timezone.now()
        try:
            check_open(relationship.standing, now=now)
        except ConversationError as refusal:
            refused = settled(relationship, refusal, now=now)
        else:
            yield relationship, now
            return
    raise refused


def closed(
    relationship: Relationship,
    *,
    closure_type: ClosureType,
    actor: str,
    now: datetime,
    summary: str | None = None,
) -> dict[str, Any]:
    """Writes the closure event; the caller holds the lock. Gives the closure as answers show it."""
    new = closing(
        relationship, chain_of(relationship), closure_type=closure_type, actor=actor, now=now, summary=summary
    )
    event_store.append(relationship, new, now=now)
    return dict(relationship.closure_event)


def closing(
    relationship: Relationship,
    events: Sequence[Recorded],
    *,
    closure_type: ClosureType,
    actor: str,
    now: datetime,
    summary: str | None = None,
) -> NewEvent:
    """The closure event that would end this conversation now."""
    payload = closure_event(
        Chain(str(relationship.pk), relationship.created_at, events), closure_type=closure_type, now=now
    )
    if summary is not None:
        payload["operator_summary"] = summary
    payload["head"] = {"seq": relationship.head_seq, "hash": relationship.head_hash}
    return NewEvent(CLOSURE, actor, payload)


def settled(relationship: Relationship, refusal: ConversationError, *, now: datetime) -> ConversationError:
    """Carries out what a refusal demands: one that ends the conversation closes it in this same transaction.

    The refusal is returned, to be raised after the commit: raising it here would roll the closing back (R4).
    """
    if refusal.closes_as is None:
        raise refusal
    if relationship.conversation_state == ConversationState.ACTIVE:
        closure = closed(relationship, closure_type=ClosureType(refusal.closes_as), actor=SYSTEM, now=now)
        refusal.figures.update(closure_event=closure, re_engagement_offer=closure["re_engagement_offer"])
    return refusal


def expire_if_due(relationship: Relationship, *, now: datetime) -> bool:
    """Closes a conversation whose time is over; the caller holds the lock."""
    due = relationship.conversation_state == ConversationState.ACTIVE and now > relationship.expires_at
    if due:
        closed(relationship, closure_type=ClosureType.EXPIRED, actor=SYSTEM, now=now)
    return due
