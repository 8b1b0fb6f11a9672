"""Relationships: open, speak, close, go on."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, Protocol, TypeAlias

from lastword_client.answers import Answer, Closure, Offer, Relationship, Sent, Sweep
from lastword_client.core import Core
from lastword_client.operations.pages import Page, Pages, page_of
from lastword_client.operations.paths import API, RELATIONSHIPS, of_relationship
from lastword_client.operations.values import Moment, appointment_from, number
from lastword_client.operations.values import appointment as spelled
from lastword_client.plan import Plan

Content: TypeAlias = Mapping[str, Any]


class Offering(Protocol):
    """A closure, an offer, or the error of an ended conversation."""

    @property
    def offer(self) -> Offer | None: ...


def init_relationship(
    core: Core,
    initiator: str,
    responder: str,
    *,
    roles: Content | None = None,
    context: Content | None = None,
    humotica: str | None = None,
    level: int | None = None,
    timebox_hours: Decimal | float | None = None,
    max_depth: int | None = None,
    appointment: Content | None = None,
    appointment_start: Moment | None = None,
    appointment_end: Moment | None = None,
    appointment_based: bool | None = None,
    driver: str | None = None,
    flow: str | None = None,
    idempotency_key: str | None = None,
) -> Plan[Relationship]:
    """Opens a conversation. The appointment is given whole, or by its start and end."""
    window = appointment_from(appointment, start=appointment_start, end=appointment_end, based=appointment_based)
    body = {
        "initiator": initiator,
        "responder": responder,
        "roles": roles,
        "context": context,
        "humotica": humotica,
        "level": level,
        "timebox_hours": number(timebox_hours),
        "max_depth": max_depth,
        "appointment": window,
        "driver": driver,
        "flow": flow,
    }
    return core.fetch(core.post(RELATIONSHIPS, body, idempotency_key=idempotency_key), Relationship.read)


def get_relationship(core: Core, relationship_id: str) -> Plan[Relationship]:
    """One conversation as it stands now."""
    return core.fetch(core.get(of_relationship(relationship_id)), Relationship.read, relationship=relationship_id)


def list_relationships(
    core: Core,
    *,
    state: str | None = None,
    driver: str | None = None,
    channel: str | None = None,
    party: str | None = None,
    owner: str | None = None,
    closure_type: str | None = None,
    flow: str | None = None,
    q: str | None = None,
    limit: int | None = None,
) -> Pages[Relationship]:
    """Every conversation that matches, fetched page by page (`limit` is the page's size)."""
    filters = {
        "state": state,
        "driver": driver,
        "channel": channel,
        "party": party,
        "owner": owner,
        "closure_type": closure_type,
        "flow": flow,
        "q": q,
        "limit": limit,
    }

    read = page_of(Relationship.read)

    def page(cursor: str | None) -> Plan[Page[Relationship]]:
        return core.fetch(core.get(RELATIONSHIPS, cursor=cursor, **filters), read)

    return page


def send_intent(
    core: Core,
    relationship_id: str,
    intent: str,
    context: Content | None = None,
    *,
    humotica: str | None = None,
    sender: str | None = None,
    idempotency_key: str | None = None,
) -> Plan[Sent]:
    """Sends an intent. The sender is the one named, else the client's own, else the key's participant."""
    said = {"sender": sender or core.sender, "intent": intent, "context": context, "humotica": humotica}
    request = core.post(of_relationship(relationship_id, "intents"), said, idempotency_key=idempotency_key)
    return core.fetch(request, Sent.read, relationship=relationship_id)


def send_response(
    core: Core,
    relationship_id: str,
    response: str,
    context: Content | None = None,
    *,
    humotica: str | None = None,
    sender: str | None = None,
    idempotency_key: str | None = None,
) -> Plan[Sent]:
    """Sends the responder's answer; it does not count towards the depth."""
    said = {"sender": sender or core.sender, "response": response, "context": context, "humotica": humotica}
    request = core.post(of_relationship(relationship_id, "responses"), said, idempotency_key=idempotency_key)
    return core.fetch(request, Sent.read, relationship=relationship_id)


def close_conversation(
    core: Core,
    relationship_id: str,
    closure_type: str,
    summary: Any = None,
    *,
    idempotency_key: str | None = None,
) -> Plan[Closure]:
    """Ends a conversation; the closure may carry an offer to go on."""
    request = core.post(
        of_relationship(relationship_id, "close"),
        {"closure_type": closure_type, "summary": summary},
        idempotency_key=idempotency_key,
    )
    return core.fetch(request, Closure.read, relationship=relationship_id)


def create_followup_conversation(
    core: Core,
    previous_fir_a_id: str,
    new_appointment: Content | None = None,
    *,
    idempotency_key: str | None = None,
) -> Plan[Relationship]:
    """Opens the conversation that continues a closed one; levels 3-5 need an appointment of their own."""
    request = core.post(
        of_relationship(previous_fir_a_id, "followups"),
        {"appointment": spelled(new_appointment)},
        idempotency_key=idempotency_key,
    )
    return core.fetch(request, Relationship.read, relationship=previous_fir_a_id)


def accept_offer(
    core: Core,
    source: Offering,
    new_appointment: Content | None = None,
    *,
    idempotency_key: str | None = None,
) -> Plan[Relationship]:
    """Takes up the offer of a closure, or of the error that ended a conversation."""
    if source.offer is None:
        raise ValueError("this conversation ended without an offer to continue")
    return create_followup_conversation(
        core, source.offer.previous_fir_a_id, new_appointment, idempotency_key=idempotency_key
    )


def lineage(core: Core, relationship_id: str) -> Plan[tuple[Relationship, ...]]:
    """The whole chain of follow-ups this conversation belongs to, oldest first."""
    read = page_of(Relationship.read)
    return core.fetch(core.get(of_relationship(relationship_id, "lineage")), lambda document: read(document).results)


def rate(
    core: Core,
    relationship_id: str,
    score: int,
    comment: str | None = None,
    *,
    idempotency_key: str | None = None,
) -> Plan[Answer]:
    """Rates a conversation from 1 to 5, also after it was closed."""
    request = core.post(
        of_relationship(relationship_id, "rating"),
        {"score": score, "comment": comment},
        idempotency_key=idempotency_key,
    )
    return core.fetch(request, Answer.read, relationship=relationship_id)


def sweep(core: Core, *, idempotency_key: str | None = None) -> Plan[int]:
    """Runs the expiry sweep now; how many conversations it closed."""
    request = core.post(f"{API}/sweep", {}, idempotency_key=idempotency_key)
    return core.fetch(request, lambda document: Sweep.read(document).expired)
