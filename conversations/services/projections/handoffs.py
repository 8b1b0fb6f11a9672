"""Handoffs as their events say."""

from collections.abc import Iterable, Mapping
from uuid import UUID

from conversations.domain.events import Recorded
from conversations.domain.handoff import OPEN, REQUESTED, HandoffStatus, changes, words_of
from conversations.models import Handoff, Relationship
from conversations.services import broadcast


def apply(relationship: Relationship, event: Recorded) -> None:
    """Moves the handoff an event names; the first event makes it."""
    handoff_id = event.content["handoff_id"]
    stored = Handoff.objects.filter(pk=handoff_id).first() or Handoff(pk=handoff_id, relationship=relationship)
    for column, value in changes(event).items():
        setattr(stored, column, value)
    stored.version += 1
    stored.save()
    broadcast.queue_on_commit(stored)


def rewrite_words(chain: Iterable[Recorded]) -> None:
    """Lets each handoff say what its request still says, as after an erasure."""
    for event in chain:
        if event.type == REQUESTED:
            Handoff.objects.filter(pk=event.content["handoff_id"]).update(**words_of(event))


def end_with_conversations(closures: Mapping[UUID, Recorded]) -> None:
    """Conversations that end, however they end, wait for nobody."""
    for stored in Handoff.objects.filter(relationship__in=closures, status__in=OPEN):
        stored.status = HandoffStatus.RESOLVED
        stored.ended_at = closures[stored.relationship_id].at
        stored.transfer_to = None
        stored.version += 1
        stored.save()
        broadcast.queue_on_commit(stored)
