"""Handoffs to read, and the one way to lock one: through its relationship's row, the first lock anybody takes."""

from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.utils import timezone

from conversations.domain.errors import NotFoundError
from conversations.domain.handoff import OPEN, HandoffStatus, waited_seconds
from conversations.domain.times import to_text
from conversations.models import Handoff, Relationship
from conversations.selectors.relationships import locked


def handoffs() -> QuerySet[Handoff]:
    return Handoff.objects.select_related("relationship__initiator", "relationship__responder")


def handoff_by(handoff_id: UUID) -> Handoff:
    found = handoffs().filter(pk=handoff_id).first()
    if found is None:
        raise NotFoundError("There is no such handoff.")
    return found


def locked_handoff(handoff_id: UUID) -> tuple[Relationship, Handoff]:
    """The relationship, locked, and the handoff as it is now that nobody else can move it."""
    relationship = locked(handoff_by(handoff_id).relationship_id)
    return relationship, Handoff.objects.get(pk=handoff_id)


def open_handoff(relationship: Relationship) -> Handoff | None:
    return Handoff.objects.filter(relationship=relationship, status__in=OPEN).first()


def position_of(handoff: Handoff) -> int | None:
    """Which number somebody has in the queue, from 1; nobody who is being helped has one."""
    if handoff.status != HandoffStatus.WAITING:
        return None
    waiting = Handoff.objects.filter(status=HandoffStatus.WAITING)
    earlier = Q(requested_at__lt=handoff.requested_at) | Q(requested_at=handoff.requested_at, id__lt=handoff.pk)
    return waiting.filter(earlier).count() + 1


def waiting_places() -> dict[str, int]:
    """The number of every conversation that waits, from 1, by its id."""
    waiting = Handoff.objects.filter(status=HandoffStatus.WAITING).order_by("requested_at", "id")
    return {str(pk): place for place, pk in enumerate(waiting.values_list("relationship_id", flat=True), start=1)}


def place_of(relationship_id: UUID) -> int | None:
    """The number of one conversation, where it waits."""
    waiting = Handoff.objects.filter(relationship_id=relationship_id, status=HandoffStatus.WAITING).first()
    return position_of(waiting) if waiting else None


def open_handoffs() -> QuerySet[Handoff]:
    """The queue: who waits and who is being helped, the longest first."""
    return Handoff.objects.filter(status__in=OPEN).order_by("requested_at")


def handoff_json(handoff: Handoff) -> dict[str, Any]:
    """A handoff as answers and sockets spell it, with how long it waited or has waited."""
    return {
        "id": str(handoff.pk),
        "relationship": str(handoff.relationship_id),
        "status": handoff.status,
        "version": handoff.version,
        "reason": handoff.reason,
        "summary": handoff.summary,
        "operator": handoff.operator,
        "transfer_to": handoff.transfer_to,
        "requested_at": to_text(handoff.requested_at),
        "claimed_at": handoff.claimed_at and to_text(handoff.claimed_at),
        "wait_seconds": waited_seconds(
            requested_at=handoff.requested_at,
            claimed_at=handoff.claimed_at,
            ended_at=handoff.ended_at,
            now=timezone.now(),
        ),
    }
