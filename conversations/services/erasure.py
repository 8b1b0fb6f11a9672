"""Erasing what was said, lawfully: the words and their salt go, the chain says so and still verifies."""

from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from django.db import transaction

from conversations.domain.erasure import kept
from conversations.domain.errors import InvalidTermsError, NotErasableError, NotFoundError
from conversations.domain.events import ERASED, Recorded
from conversations.models import Delivery, EventPayload, OutboxMessage, Relationship
from conversations.models.outbox import UNSETTLED
from conversations.selectors.events import chain_of
from conversations.selectors.relationships import locked
from conversations.services import event_store, projections
from conversations.services.event_store import NewEvent

MAX_BASIS = 200


def erase_payloads(
    *, relationship_id: UUID, seqs: Collection[int] | None, basis: str, by: str, now: datetime
) -> list[Recorded]:
    """Erases the payloads of these events (None: of all that have one), open or closed, all or none.

    Each leaves a `payload_erased` event that names it, the legal basis, and figures that name nobody. Returns them.
    """
    basis = basis.strip()
    if not basis or len(basis) > MAX_BASIS:
        raise InvalidTermsError(
            field="basis", code="required", message=f"Name the legal basis in 1 to {MAX_BASIS} characters."
        )
    with transaction.atomic():
        relationship = locked(relationship_id)
        marks = []
        for event in erasable(relationship, seqs):
            EventPayload.objects.filter(event__relationship=relationship, event__seq=event.seq).delete()
            payload = {"seq": event.seq, "basis": basis, "by": by, "kept": kept(event)}
            marks.append(event_store.append(relationship, NewEvent(ERASED, by, payload), now=now))
            forget_calls(event, relationship, now=now)
        Delivery.objects.filter(relationship=relationship).update(body=b"")
        projections.rebuild(relationship)
        return marks


def forget_calls(event: Recorded, relationship: Relationship, *, now: datetime) -> None:
    """The words of an event are not kept in the outbox either, and go nowhere any more."""
    calls = OutboxMessage.objects.filter(event__relationship=relationship, event__seq=event.seq).exclude(body={})
    calls.filter(UNSETTLED).update(abandoned_at=now, last_error="erased")
    calls.update(body={})


def erasable(relationship: Relationship, seqs: Collection[int] | None) -> list[Recorded]:
    """The events to erase, in order; refuses before anything is changed."""
    chain = {event.seq: event for event in chain_of(relationship)}
    if seqs is None:
        seqs = [seq for seq, event in chain.items() if event.payload is not None and event.type != ERASED]
        if not seqs:
            raise NotErasableError("Every payload is erased already.", reason="erased")
    for seq in seqs:
        if seq not in chain:
            raise NotFoundError(f"There is no event {seq} in this conversation.")
        if chain[seq].payload is None:
            raise NotErasableError(f"The payload of event {seq} is erased already.", reason="erased", seq=seq)
        if chain[seq].type == ERASED:
            raise NotErasableError(
                f"Event {seq} is the mark of an erasure and names nobody.", reason="kept_as_mark", seq=seq
            )
    return [chain[seq] for seq in sorted(set(seqs))]
