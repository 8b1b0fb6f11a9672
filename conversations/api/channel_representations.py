"""Channels, deliveries and subscriptions as the contract spells them; secrets never."""

from typing import Any

from conversations.domain.times import to_text
from conversations.models import Channel, Delivery, OutboxMessage, WebhookSubscription


def channel_json(channel: Channel) -> dict[str, Any]:
    return {
        "id": str(channel.pk),
        "kind": channel.kind,
        "name": channel.name,
        "base_url": channel.base_url,
        "account_id": channel.account_id,
        "driver": channel.driver,
        "flow": channel.flow,
        "personas": channel.personas,
        "webhook_path": channel.webhook_path,
        "enabled": channel.enabled,
        "created_at": to_text(channel.created_at),
        "open_until": channel.open_until and to_text(channel.open_until),
    }


def delivery_json(delivery: Delivery) -> dict[str, Any]:
    """A delivery that waits to be worked has the verdict `received`."""
    return {
        "id": str(delivery.pk),
        "channel": str(delivery.channel_id),
        "received_at": to_text(delivery.received_at),
        "event": delivery.event,
        "signature": delivery.signature,
        "verdict": delivery.verdict or delivery.status,
        "reason": delivery.reason,
        "attempts": delivery.attempts,
        "relationship": delivery.relationship_id and str(delivery.relationship_id),
        "duplicate_of": delivery.duplicate_of_id and str(delivery.duplicate_of_id),
    }


def subscription_json(subscription: WebhookSubscription) -> dict[str, Any]:
    return {
        "id": str(subscription.pk),
        "url": subscription.url,
        "events": subscription.events,
        "enabled": subscription.enabled,
        "created_at": to_text(subscription.created_at),
        "open_until": subscription.open_until and to_text(subscription.open_until),
    }


def notice_json(notice: OutboxMessage) -> dict[str, Any]:
    """What was sent to a subscriber, with every try."""
    state = "delivered" if notice.delivered_at else "abandoned" if notice.abandoned_at else "waiting"
    return {
        "id": str(notice.pk),
        "event": notice.event.type,
        "relationship": str(notice.event.relationship_id),
        "state": state,
        "created_at": to_text(notice.created_at),
        "error": notice.last_error,
        "attempts": [
            {"at": to_text(tried.at), "status": tried.status, "error": tried.error, "duration_ms": tried.duration_ms}
            for tried in notice.tries.all()
        ],
    }
