"""Who delivers what leaves the outbox: an ordered, visible list, by the first word of the destination."""

from collections.abc import Callable, Sequence

from conversations.models import OutboxMessage
from conversations.services import broadcast, channel_sender, subscription_sender
from conversations.services.broadcast.messages import news_item


def remind_audience(messages: Sequence[OutboxMessage]) -> None:
    """A second chance for watchers: they heard of each event at its commit, unless the process died right then."""
    broadcast.publish(*(news_item(message.event.relationship_id, message.event.seq) for message in messages))


# Remote ones: each is called with no transaction open, and raises `Postponed`, `Abandoned` or any error to retry.
DELIVERERS: dict[str, Callable[[OutboxMessage], None]] = {
    "channel": channel_sender.deliver,
    "subscription": subscription_sender.deliver,
}
