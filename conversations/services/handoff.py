"""A person takes over and gives back. Every act is a chain event, under the relationship's lock.

The owner that the acts leave behind is what the pipeline checks inside the transaction of every automated send.
"""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from conversations.access import Caller
from conversations.domain import handoff as acts
from conversations.domain.closure import ClosureType
from conversations.domain.errors import InvalidTermsError
from conversations.domain.handoff import (
    HandoffStatus,
    Operator,
    check_claim,
    check_holder,
    check_offered,
)
from conversations.models import Handoff, Relationship
from conversations.registry import RESUMERS
from conversations.selectors.handoffs import handoff_by, locked_handoff, open_handoff
from conversations.selectors.operators import operators
from conversations.services import event_store
from conversations.services.closing import closed, open_conversation
from conversations.services.event_store import NewEvent
from conversations.services.handoff_requests import requested
from conversations.services.writing_marks import wrote_since
from guards.selectors.policy import policy_in_force

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class GivenBack:
    """What an operator tells the bot on giving a conversation back."""

    note: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    skip: tuple[str, ...] = ()
    grant: Mapping[str, int] = field(default_factory=dict)


def request_handoff(*, relationship_id: UUID, reason: str, caller: Caller) -> Handoff:
    """Asks for a person; asking again gives the request that is already open."""
    with open_conversation(relationship_id, caller=caller) as (relationship, now):
        return asked(relationship, reason=reason, actor=caller.actor, now=now)


def take_over(*, relationship_id: UUID, reason: str, operator: Operator, via: str = "takeover") -> Handoff:
    """Asks and claims in one act; a request already waiting is claimed."""
    with open_conversation(relationship_id) as (relationship, now):
        handoff = asked(relationship, reason=reason, actor=operator.actor, now=now)
        check_claim(handoff, version=handoff.version)
        return acted(relationship, handoff, acts.CLAIMED, operator, now=now, via=via)


def asked(relationship: Relationship, *, reason: str, actor: str, now: datetime) -> Handoff:
    """The open handoff of this conversation, made if there is none; the caller holds the lock."""
    handoff = open_handoff(relationship)
    if handoff is None:
        request = requested(relationship, reason=reason, actor=actor)
        event_store.append(relationship, request, now=now)
        handoff = handoff_by(UUID(request.payload["handoff_id"]))
    return handoff


def claim(*, handoff_id: UUID, version: int, operator: Operator) -> Handoff:
    """Takes a waiting conversation; of two at once one wins, the other learns who."""
    with held(handoff_id) as (relationship, handoff, now):
        check_claim(handoff, version=version)
        return acted(relationship, handoff, acts.CLAIMED, operator, now=now, via="claim")


def release(*, handoff_id: UUID, operator: Operator) -> Handoff:
    """Puts it back into the queue."""
    with held(handoff_id) as (relationship, handoff, now):
        check_holder(handoff, operator)
        return acted(relationship, handoff, acts.RELEASED, operator, now=now, cause="released")


def transfer(*, handoff_id: UUID, to: str, operator: Operator) -> Handoff:
    """Offers it to a colleague; the holder keeps it until they accept."""
    with held(handoff_id) as (relationship, handoff, now):
        check_holder(handoff, operator)
        if to == operator.username or not operators().filter(username=to).exists():
            raise InvalidTermsError(field="to", code="unknown_operator", message="There is no other operator so named.")
        return acted(relationship, handoff, acts.TRANSFERRED, operator, now=now, to=to, outcome="offered")


def accept(*, handoff_id: UUID, operator: Operator) -> Handoff:
    """Takes what was offered."""
    with held(handoff_id) as (relationship, handoff, now):
        check_offered(handoff, operator)
        return acted(relationship, handoff, acts.CLAIMED, operator, now=now, via="transfer", previous=handoff.operator)


def decline(*, handoff_id: UUID, operator: Operator) -> Handoff:
    """Leaves it with its holder."""
    with held(handoff_id) as (relationship, handoff, now):
        check_offered(handoff, operator)
        told = {"to": operator.username, "outcome": "declined"}
        return acted(relationship, handoff, acts.TRANSFERRED, operator, now=now, **told)


def reply(*, handoff_id: UUID, text: str, operator: Operator) -> Handoff:
    """Speaks to the other side, as a person."""
    with held(handoff_id) as (relationship, handoff, now):
        check_holder(handoff, operator)
        return acted(relationship, handoff, acts.REPLIED, operator, now=now, text=text)


def note(*, handoff_id: UUID, text: str, operator: Operator) -> Handoff:
    """Writes to colleagues only; whoever may act may leave a note."""
    with held(handoff_id) as (relationship, handoff, now):
        return acted(relationship, handoff, acts.NOTED, operator, now=now, text=text)


def give_back(*, handoff_id: UUID, given: GivenBack, operator: Operator) -> tuple[Handoff, dict[str, Any]]:
    """Returns it to the bot, which decides at once; refused when nobody would answer. Gives its decision too."""
    with held(handoff_id) as (relationship, handoff, now):
        check_holder(handoff, operator)
        told = {"note": given.note, "facts": given.facts, "skip": list(given.skip), "grant": given.grant}
        returned = acted(relationship, handoff, acts.RETURNED, operator, now=now, **told)
        resume = RESUMERS.get(relationship.driver)
        if resume is None:
            return returned, {}
        decided = resume(relationship, given, now=now)
        for new in decided.events:
            event_store.append(relationship, new, now=now)
        if decided.closes is not None:
            closed(relationship, closure_type=decided.closes, actor=operator.actor, now=now)
        return handoff_by(handoff.pk), decided.answer


def resolve(
    *, handoff_id: UUID, closure_type: ClosureType, summary: str | None, operator: Operator
) -> tuple[Handoff, dict[str, Any]]:
    """Ends handoff and conversation; gives the closure event too."""
    with held(handoff_id) as (relationship, handoff, now):
        check_holder(handoff, operator)
        told = {"closure_type": closure_type, "summary": summary}
        acted(relationship, handoff, acts.RESOLVED, operator, now=now, **told)
        closure = closed(relationship, closure_type=closure_type, actor=operator.actor, now=now, summary=summary)
        return handoff_by(handoff.pk), closure


@contextmanager
def held(handoff_id: UUID) -> Iterator[tuple[Relationship, Handoff, datetime]]:
    """A handoff to act on, under its conversation's lock; the conversation must still be open."""
    with open_conversation(handoff_by(handoff_id).relationship_id) as (relationship, now):
        yield relationship, handoff_by(handoff_id), now


def acted(
    relationship: Relationship, handoff: Handoff, act: str, operator: Operator, *, now: datetime, **told: Any
) -> Handoff:
    """Appends one act and gives the handoff after it."""
    payload = {"handoff_id": str(handoff.pk), "operator": operator.username, **told}
    event_store.append(relationship, NewEvent(act, operator.actor, payload), now=now)
    return handoff_by(handoff.pk)


def release_idle() -> int:
    """Puts conversations whose holder neither acted nor wrote for too long back into the queue."""
    minutes = policy_in_force().document.handoff.idle_release_minutes
    before = timezone.now() - timedelta(minutes=float(minutes))
    idle = list(Handoff.objects.filter(status=HandoffStatus.CLAIMED, last_act_at__lt=before))
    silent = [each.pk for each in idle if not wrote_since(each.relationship_id, each.operator, before)]
    released = 0
    for handoff_id in silent:
        try:
            released += release_if_idle(handoff_id, before=before)
        except Exception:  # one that is broken must not keep the others waiting
            log.exception("idle_handoff_left")
    return released


def release_if_idle(handoff_id: UUID, *, before: datetime) -> bool:
    """Looks again under the lock: the holder may have spoken meanwhile."""
    with transaction.atomic():
        relationship, handoff = locked_handoff(handoff_id)
        if handoff.status != HandoffStatus.CLAIMED or handoff.last_act_at is None or handoff.last_act_at >= before:
            return False
        payload = {"handoff_id": str(handoff.pk), "operator": handoff.operator, "cause": acts.IDLE}
        event_store.append(relationship, NewEvent(acts.RELEASED, "system", payload), now=timezone.now())
        return True
