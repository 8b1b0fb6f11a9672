"""Opening a conversation."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db import transaction
from django.utils import timezone

from conversations.domain import events
from conversations.domain.errors import InvalidTermsError
from conversations.domain.events import Recorded
from conversations.domain.fold import Folded, changes
from conversations.domain.hash_chain import GENESIS
from conversations.domain.relationship import Appointment, Driver, check_terms, to_stored_hours
from conversations.domain.times import to_text
from conversations.models import Participant, Relationship
from conversations.services import event_store
from conversations.services.event_store import NewEvent
from flows.errors import FlowNotFoundError
from flows.selectors.flows import newest_version
from guards.selectors.policy import policy_in_force


@dataclass(frozen=True, slots=True)
class Terms:
    """What two parties agree on before the first word; how long and how deep, else the policy in force says."""

    initiator: str
    responder: str
    roles: Mapping[str, Any] = field(default_factory=dict)
    context: Mapping[str, Any] = field(default_factory=dict)
    humotica: str = ""
    level: int | None = None
    timebox_hours: Decimal | None = None
    max_depth: int | None = None
    appointment: Appointment | None = None
    driver: Driver = Driver.RELAY
    channel: str = "rest"
    flow: str | None = None


def create_relationship(*, terms: Terms, actor: str) -> Relationship:
    """A new relationship, with its first event."""
    with transaction.atomic():
        return opened(terms, actor=actor, now=timezone.now())


def opened(terms: Terms, *, actor: str, now: datetime, continues: Relationship | None = None) -> Relationship:
    """Checks the terms, then writes the row and `fir_a_created` (R2); the caller has the transaction."""
    terms = filled_in(terms)
    check_terms(level=terms.level, appointment=terms.appointment)
    if terms.initiator == terms.responder:
        raise InvalidTermsError(field="responder", code="same_party", message="A conversation needs two parties.")
    # in one order for everybody: two openings with the same newcomers in opposite seats would wait for each other
    known = {handle: participant(handle) for handle in sorted((terms.initiator, terms.responder))}
    initiator, responder = known[terms.initiator], known[terms.responder]
    flow = pinned_flow(terms)
    payload = created_payload(terms, initiator=initiator, responder=responder, continues=continues, flow=flow)
    relationship = born(payload, at=now)
    relationship.save(force_insert=True)
    relationship.initiator, relationship.responder = initiator, responder
    event_store.append(relationship, NewEvent(events.CREATED, actor, payload), now=now)
    return relationship


def filled_in(terms: Terms) -> Terms:
    """The terms with nothing left open: what nobody named is the policy's."""
    if terms.timebox_hours is not None and terms.max_depth is not None:
        return terms
    policy = policy_in_force().document.relationship
    hours = Decimal(str(policy.timebox_hours)) if terms.timebox_hours is None else terms.timebox_hours
    depth = policy.max_depth if terms.max_depth is None else terms.max_depth
    return replace(terms, timebox_hours=to_stored_hours(hours), max_depth=depth)


def pinned_flow(terms: Terms) -> dict[str, Any] | None:
    """The newest version of the flow the conversation is to follow, by number and content (F21)."""
    if (terms.driver == Driver.FLOW) != (terms.flow is not None):
        raise InvalidTermsError(
            field="flow", code="required", message="The flow driver, and only it, needs the name of a flow."
        )
    if terms.flow is None:
        return None
    try:
        newest = newest_version(terms.flow)
    except FlowNotFoundError as problem:
        raise InvalidTermsError(field="flow", code="unknown_flow", message=problem.detail) from problem
    return {"slug": terms.flow, "version": newest.version, "hash": newest.hash}


def participant(handle: str) -> Participant:
    """The participant of that handle, known or new."""
    return Participant.objects.get_or_create(handle=handle)[0]


def created_payload(
    terms: Terms,
    *,
    initiator: Participant,
    responder: Participant,
    continues: Relationship | None,
    flow: Mapping[str, Any] | None,
) -> dict[str, Any]:
    """Everything the columns are folded from; our own figures are texts and whole numbers, never floats."""
    window = terms.appointment
    return {
        "initiator": {"id": str(initiator.pk), "handle": initiator.handle},
        "responder": {"id": str(responder.pk), "handle": responder.handle},
        "roles": terms.roles,
        "context": terms.context,
        "humotica": terms.humotica,
        "level": terms.level,
        "channel": terms.channel,
        "driver": terms.driver,
        "max_depth": terms.max_depth,
        "timebox_hours": str(terms.timebox_hours),
        "appointment": window
        and {"id": window.id, "start": to_text(window.start), "end": to_text(window.end), "subject": window.subject},
        "continuation_of": str(continues.pk) if continues else None,
        "flow": flow,
    }


def born(payload: Mapping[str, Any], *, at: datetime) -> Relationship:
    """The row as its first event will leave it, unsaved: an event needs a row to belong to."""
    first = Recorded(seq=0, type=events.CREATED, at=at, actor="", payload=payload, hash=GENESIS)
    return Relationship(id=uuid.uuid4(), **changes(Folded(), first))
