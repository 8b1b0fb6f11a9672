"""Going on after the end: a follow-up is a new relationship that refers to the old one (seed 000, R11)."""

from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from conversations.access import Caller
from conversations.domain import events
from conversations.domain.closure import Chain, followup_reason, open_items
from conversations.domain.errors import ConversationNotClosedError, FollowupActiveError
from conversations.domain.relationship import Appointment, ConversationState, Driver
from conversations.domain.times import to_text
from conversations.models import Relationship
from conversations.selectors.events import chain_of
from conversations.selectors.relationships import locked
from conversations.services import event_store
from conversations.services.closing import expire_if_due
from conversations.services.event_store import NewEvent
from conversations.services.relationships import Terms, opened


def create_followup(*, relationship_id: UUID, appointment: Appointment | None, caller: Caller) -> Relationship:
    """A fresh conversation between the same parties, carrying summary and open items of the closed one."""
    with transaction.atomic():
        previous = locked(relationship_id, caller=caller)
        now = timezone.now()
        expire_if_due(previous, now=now)
        check_may_continue(previous, now=now)
        chain = Chain(str(previous.pk), previous.created_at, chain_of(previous))
        reason = followup_reason(chain)
        followup = opened(
            continued_terms(previous, chain=chain, reason=reason, appointment=appointment),
            actor=caller.actor,
            now=now,
            continues=previous,
        )
        continuation = {
            "previous_fir_a_id": str(previous.pk),
            "continuation_reason": reason,
            "timestamp": to_text(now),
        }
        event_store.append(followup, NewEvent(events.CONTINUATION, caller.actor, continuation), now=now)
        return followup


def check_may_continue(previous: Relationship, *, now: datetime) -> None:
    """Only of a closed conversation, and only one follow-up active at a time; one that has expired is ended here.

    Locks go from a conversation to its follow-up and never back, so two such requests cannot wait for each other.
    """
    if previous.conversation_state != ConversationState.CLOSED:
        raise ConversationNotClosedError("Close this conversation before you follow it up.")
    active = previous.followups.filter(conversation_state=ConversationState.ACTIVE).first()
    if active is not None and not expire_if_due(locked(active.pk), now=now):
        raise FollowupActiveError(f"Follow-up {active.pk} is still active.", followup=str(active.pk))


def continued_terms(previous: Relationship, *, chain: Chain, reason: str, appointment: Appointment | None) -> Terms:
    """The same parties, roles and level; the context says what went before."""
    closure = previous.closure_event or {}
    return Terms(
        initiator=previous.initiator.handle,
        responder=previous.responder.handle,
        roles=previous.roles,
        context={
            "continuation_of": str(previous.pk),
            "previous_summary": closure.get("conversation_summary"),
            "open_items_from_previous": open_items(chain),
            "appointment_id": appointment.id if appointment else None,
        },
        humotica=f"Follow-up to conversation {str(previous.pk)[:8]}... - {reason}",
        level=previous.level,
        timebox_hours=previous.timebox_hours,
        max_depth=previous.max_depth,
        appointment=appointment,
        driver=Driver(previous.driver),
        channel=previous.channel,
        flow=previous.flow_slug,
    )
