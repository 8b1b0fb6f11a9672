"""Conversations to keep a ledger of."""

from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from audit.models import Checkpoint
from audit.services.checkpoints import make_checkpoint
from conversations.domain import events
from conversations.domain.closure import ClosureType
from conversations.domain.events import Recorded
from conversations.models import Relationship
from conversations.selectors.relationships import locked
from conversations.services import closing, event_store
from conversations.services.event_store import NewEvent
from conversations.services.relationships import Terms, create_relationship


def conversation(*, exchanges: int = 2, close: bool = False) -> Relationship:
    """Ada asks, Bob accepts, as often as wanted; then perhaps the end."""
    terms = Terms(initiator="did:ada", responder="did:bob", humotica="Ada wants a table", max_depth=1000)
    relationship = create_relationship(terms=terms, actor="key:1")
    for number in range(exchanges):
        say(relationship.pk, events.INTENT, intent=f"book_{number}", context={"guest": "Ada Löwe ☃"})
        say(relationship.pk, "response_accepted", context={})
    if close:
        with transaction.atomic():
            closing.closed(
                locked(relationship.pk), closure_type=ClosureType.COMPLETED, actor="key:1", now=timezone.now()
            )
    return Relationship.objects.get(pk=relationship.pk)


def say(relationship_id: UUID, type_: str, **payload: Any) -> Recorded:
    """One event, through the one door."""
    with transaction.atomic():
        return event_store.append(
            locked(relationship_id), NewEvent(type_, "participant:x", payload), now=timezone.now()
        )


def checkpoint() -> Checkpoint:
    """Signs all there is."""
    signed = make_checkpoint(now=timezone.now())
    assert signed is not None
    return signed
