"""Our own words coming back, known by the id they got, or, while that is still on its way, by what was being said."""

from django.db import transaction
from django.utils import timezone

from conversations.models import Channel, OutboxMessage, OwnMessage
from conversations.models.outbox import UNSETTLED
from conversations.selectors.channels import own_message


def is_our_own(channel: Channel, conversation: str, message_id: str, text: str) -> bool:
    """Whether we said this. An echo that overtakes the answer to its own request also settles that request:
    a call that timed out over there after it had worked is then not made again.
    """
    if own_message(channel, message_id) is not None:
        return True
    underway = in_flight(channel, conversation)
    if underway is None or words_in(underway) != text:
        return False
    settled(underway, channel, message_id)
    return True


def in_flight(channel: Channel, conversation: str) -> OutboxMessage | None:
    """The message of this conversation that was handed to the other side and not yet confirmed: one at most."""
    lane = f"{channel.pk}/{conversation}"
    return OutboxMessage.objects.filter(UNSETTLED, lane=lane, attempts__gt=0).order_by("id").first()


def words_in(message: OutboxMessage) -> str:
    said = message.body.get("json", {})
    return str(said.get("content") or said.get("text") or "")


def settled(message: OutboxMessage, channel: Channel, external_id: str) -> None:
    """The other side has it: the row is delivered, and the id known."""
    now = timezone.now()
    with transaction.atomic():
        OutboxMessage.objects.filter(UNSETTLED, pk=message.pk).update(delivered_at=now, last_error="")
        remember_own(channel, message, external_id)


def remember_own(channel: Channel, message: OutboxMessage, external_id: str) -> None:
    """Names a message over there as ours; told twice, it is remembered once."""
    OwnMessage.objects.get_or_create(
        channel=channel,
        external_id=external_id,
        defaults={
            "event_id": message.event_id,
            "persona": message.body.get("persona", ""),
            "sent_at": timezone.now(),
        },
    )
