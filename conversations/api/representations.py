"""Rows as the contract spells them."""

from datetime import datetime
from typing import Any

from django.utils import timezone

from conversations.domain.times import to_text
from conversations.models import Product, Relationship
from conversations.selectors.relationships import followup_ids
from conversations.services.ingest import Admission


def relationship_json(relationship: Relationship) -> dict[str, Any]:
    """A relationship; `continued_by` is asked for only where a closed conversation can have any."""
    followups = followup_ids(relationship) if relationship.closed_at else []
    return {
        "id": str(relationship.pk),
        "initiator": relationship.initiator.handle,
        "responder": relationship.responder.handle,
        "roles": relationship.roles,
        "context": relationship.context,
        "humotica": relationship.humotica,
        "level": relationship.level,
        "channel": relationship.channel,
        "driver": relationship.driver,
        "conversation_state": relationship.conversation_state,
        "conversation_depth": relationship.conversation_depth,
        "max_depth": relationship.max_depth,
        "timebox_hours": float(relationship.timebox_hours),
        "appointment": appointment_json(relationship),
        "created_at": to_text(relationship.created_at),
        "last_activity_at": to_text(relationship.last_activity_at),
        "expires_at": to_text(relationship.expires_at),
        "time_remaining_seconds": remaining(relationship, now=timezone.now()),
        "closed_at": relationship.closed_at and to_text(relationship.closed_at),
        "continuation_of": relationship.continuation_of_id and str(relationship.continuation_of_id),
        "continued_by": [str(followup) for followup in followups],
        "flow": flow_json(relationship),
        "owner": {
            "kind": relationship.owner_kind,
            "operator": relationship.owner_operator,
            "version": relationship.owner_version,
        },
        "closure_event": relationship.closure_event,
        "head": {"seq": relationship.head_seq, "hash": relationship.head_hash},
    }


def appointment_json(relationship: Relationship) -> dict[str, Any] | None:
    if relationship.appointment_start is None or relationship.appointment_end is None:
        return None
    return {
        "id": relationship.appointment_id,
        "start": to_text(relationship.appointment_start),
        "end": to_text(relationship.appointment_end),
        "subject": relationship.appointment_subject,
    }


def flow_json(relationship: Relationship) -> dict[str, Any] | None:
    if relationship.flow_slug is None:
        return None
    return {"slug": relationship.flow_slug, "version": relationship.flow_version, "hash": relationship.flow_hash}


def remaining(relationship: Relationship, *, now: datetime) -> int:
    """Whole seconds until expiry, never below zero; nothing remains of what is closed."""
    if relationship.closed_at is not None:
        return 0
    return max(0, int((relationship.expires_at - now).total_seconds()))


def product_json(product: Product) -> dict[str, Any]:
    """A product as it was sent to us."""
    return {
        "id": product.pk,
        "name": product.name,
        "description": product.description,
        "price": None if product.price is None else float(product.price),
        "currency": product.currency,
        "url": product.url,
        "image_url": product.image_url,
        "tags": product.tags,
    }


def replayed(duplicate: bool) -> dict[str, str]:
    """The header of an answer that was given before."""
    return {"Idempotent-Replayed": "true"} if duplicate else {}


def exchange_json(admission: Admission) -> dict[str, Any]:
    """The answer to an intent or a response, with a hint where it went round in circles."""
    relationship = admission.relationship
    return {
        "event": admission.events[0].as_json(),
        "conversation_depth": relationship.conversation_depth,
        "max_depth": relationship.max_depth,
        "expires_at": to_text(relationship.expires_at),
        **admission.answer,
    }
