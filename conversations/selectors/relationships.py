"""Relationships to read, and the one way to lock one for writing."""

import uuid
from collections.abc import Collection
from datetime import datetime
from uuid import UUID

import structlog
from django.db.models import Prefetch, QuerySet

from conversations.access import Caller, sees, visible_to
from conversations.domain.errors import NotFoundError
from conversations.domain.relationship import ConversationState
from conversations.models import Relationship
from conversations.prepared import Prepared


def relationships() -> QuerySet[Relationship]:
    """All of them, with the parties that every answer names."""
    return Relationship.objects.select_related("initiator", "responder")


def with_followups(rows: QuerySet[Relationship]) -> QuerySet[Relationship]:
    """The same rows; what `followup_ids` asks is read for all of them at once."""
    followups = Relationship.objects.only("id", "created_at", "continuation_of")
    return rows.prefetch_related(Prefetch("followups", followups))


def relationship_for(caller: Caller, relationship_id: UUID) -> Relationship:
    """The relationship, if this caller may know that it exists."""
    found = visible_to(caller, relationships()).filter(pk=relationship_id).first()
    if found is None:
        raise NotFoundError("There is no such relationship.")
    return found


def locked(relationship_id: UUID, *, caller: Caller | None = None) -> Relationship:
    """The relationship with its row locked until the transaction ends: the first lock anybody takes."""
    found = next(iter(LOCKED.rows(pk=relationship_id)), None)
    if found is None or (caller is not None and not sees(caller, found)):
        raise NotFoundError("There is no such relationship.")
    # tasks and sockets learn here whose conversation they work on; requests and tasks let go of it at their end
    structlog.contextvars.bind_contextvars(relationship_id=str(relationship_id))
    return found


def lockable(pk: UUID) -> QuerySet[Relationship]:
    # almost every message moves the watch: one statement reads it with the conversation
    rows = relationships().select_related("loop_watch").select_for_update(of=("self",))
    return rows.filter(pk=pk).order_by()


LOCKED: Prepared[Relationship] = Prepared(lockable, pk=(Relationship._meta.pk, uuid.uuid4()))


def locked_due(relationship_ids: Collection[UUID], *, now: datetime) -> list[Relationship]:
    """Those of them whose time is over, locked; a row another transaction holds is that one's to end.

    Asked for by their ids alone: with the time in the question SQLite walks through everything that is due, each batch.
    """
    rows = Relationship.objects.filter(pk__in=relationship_ids).order_by()
    # the parties stand in the summary the board is told: read here, they are not read again one by one
    named = rows.select_related("initiator", "responder").defer("roles", "context", "humotica", "closure_event")
    found = named.select_for_update(skip_locked=True, of=("self",))
    return [row for row in found if row.conversation_state == ConversationState.ACTIVE and row.expires_at < now]


def due_at(now: datetime) -> QuerySet[Relationship]:
    """Open conversations whose time is over."""
    return Relationship.objects.filter(conversation_state=ConversationState.ACTIVE, expires_at__lt=now)


def followup_ids(relationship: Relationship) -> list[UUID]:
    """Who continued this conversation, oldest first."""
    followups = sorted(relationship.followups.all(), key=lambda followup: (followup.created_at, str(followup.pk)))
    return [followup.pk for followup in followups]


def lineage(relationship: Relationship) -> list[Relationship]:
    """The whole continuation chain this relationship stands in, oldest first."""
    root = relationship
    while root.continuation_of_id is not None:
        root = relationships().get(pk=root.continuation_of_id)
    family, generation = [root], [root]
    while generation:
        generation = list(relationships().filter(continuation_of__in=generation).order_by("created_at", "id"))
        family += generation
    return sorted(family, key=lambda member: (member.created_at, str(member.pk)))
