"""Telling a subscriber of an event, signed so that it can know us."""

import json
from uuid import UUID

from django.utils import timezone

from conversations.models import OutboxMessage, WebhookSubscription
from conversations.outgoing.signing import SIGNATURE_HEADER, signature
from conversations.selectors.events import as_recorded
from conversations.services.remote_calls import Abandoned, RemoteFailure, check_breaker, check_status, failed, post
from conversations.services.sealing import unsealed


def deliver(message: OutboxMessage) -> None:
    """One signed POST; the receiver recognises a repetition by the event's id."""
    subscriber = WebhookSubscription.objects.get(pk=UUID(message.destination.partition(":")[2]))
    if not subscriber.enabled:
        raise Abandoned("subscription_disabled")
    check_breaker(subscriber)
    body = json.dumps(notice(message), ensure_ascii=False).encode()
    headers = {SIGNATURE_HEADER: signature(unsealed(subscriber.secret_sealed), body, at=timezone.now())}
    try:
        answer = post(message, subscriber.url, body=body, headers=headers)
    except RemoteFailure:
        failed(subscriber)
        raise
    check_status(subscriber, answer.status, retry_after=answer.retry_after)


def notice(message: OutboxMessage) -> dict[str, object]:
    """The event as every answer spells it, with the id of this telling and of its conversation."""
    event = as_recorded(message.event)
    return {
        "id": str(message.pk),
        "type": event.type,
        "relationship": str(message.event.relationship_id),
        "event": event.as_json(),
    }
