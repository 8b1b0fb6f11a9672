"""Channels, their conversations and their deliveries to read."""

from uuid import UUID

from django.db.models import QuerySet

from conversations.domain.errors import NotFoundError
from conversations.models import Channel, ChannelConversation, Delivery, OwnMessage, WebhookSubscription


def channels() -> QuerySet[Channel]:
    return Channel.objects.all()


def channel_by(channel_id: UUID) -> Channel:
    found = Channel.objects.filter(pk=channel_id).first()
    if found is None:
        raise NotFoundError("There is no such channel.")
    return found


def channel_at(kind: str, inbox: str) -> Channel:
    """The channel a webhook's path names; one that is switched off is as unknown as one that never was."""
    try:
        identity = UUID(inbox)
    except ValueError:
        raise NotFoundError("There is no such inbox.") from None
    found = Channel.objects.filter(pk=identity, kind=kind, enabled=True).first()
    if found is None:
        raise NotFoundError("There is no such inbox.")
    return found


def current_conversation(channel: Channel, external_id: str) -> ChannelConversation | None:
    rows = ChannelConversation.objects.filter(channel=channel, external_id=external_id, current=True)
    return rows.select_related("relationship").first()


def own_message(channel: Channel, external_id: str) -> OwnMessage | None:
    return OwnMessage.objects.filter(channel=channel, external_id=external_id).select_related("event").first()


def deliveries() -> QuerySet[Delivery]:
    """Newest first; the raw bodies stay where they are until one is asked for."""
    return Delivery.objects.defer("body").select_related("channel")


def delivery_by(delivery_id: UUID) -> Delivery:
    found = Delivery.objects.select_related("channel").filter(pk=delivery_id).first()
    if found is None:
        raise NotFoundError("There is no such delivery.")
    return found


def subscriptions() -> QuerySet[WebhookSubscription]:
    return WebhookSubscription.objects.all()


def subscription_by(subscription_id: UUID) -> WebhookSubscription:
    found = WebhookSubscription.objects.filter(pk=subscription_id).first()
    if found is None:
        raise NotFoundError("There is no such subscription.")
    return found
