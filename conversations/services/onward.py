"""Who else hears of an event: the channel its conversation lives in, and subscribers. Rows for the outbox, unsaved.

Worked out when the event leaves for its audience, so that writing an event costs the same with a hundred subscribers.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime

from conversations.channels.registry import ADAPTERS
from conversations.models import ChannelConversation, Event, OutboxMessage, WebhookSubscription
from conversations.selectors.events import as_recorded

CHANNEL = "channel"
SUBSCRIPTION = "subscription"


def onward(event: Event, subscribers: Iterable[WebhookSubscription], *, now: datetime) -> list[OutboxMessage]:
    """The rows that follow from this event."""
    return [*to_channel(event, now=now), *to_subscribers(event, subscribers, now=now)]


def to_channel(event: Event, *, now: datetime) -> Iterator[OutboxMessage]:
    """The calls this event needs in its own channel, in one lane a conversation."""
    if event.relationship.channel not in ADAPTERS:
        return
    conversation = (
        ChannelConversation.objects.filter(relationship_id=event.relationship_id).select_related("channel").first()
    )
    if conversation is None:
        return
    adapter = ADAPTERS[conversation.channel.kind]
    for part, call in enumerate(adapter.calls(as_recorded(event), conversation, conversation.channel)):
        yield OutboxMessage(
            destination=f"{CHANNEL}:{conversation.channel_id}",
            event=event,
            part=part,
            lane=conversation.lane,
            body=call.stored(),
            created_at=now,
            available_at=now,
        )


def to_subscribers(
    event: Event, subscribers: Iterable[WebhookSubscription], *, now: datetime
) -> Iterator[OutboxMessage]:
    for subscriber in subscribers:
        if any(wants(pattern, event.type) for pattern in subscriber.events):
            yield OutboxMessage(
                destination=f"{SUBSCRIPTION}:{subscriber.pk}", event=event, created_at=now, available_at=now
            )


def wants(pattern: str, event_type: str) -> bool:
    """`*`, a prefix ending in `*`, or the type itself."""
    return event_type.startswith(pattern[:-1]) if pattern.endswith("*") else event_type == pattern
