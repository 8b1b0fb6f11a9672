"""Which relationship a conversation over there is: opened at the first word, followed up within limits."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import cast

from django.db import IntegrityError, transaction
from django.utils import timezone

from conversations.channels.heard import Contact
from conversations.domain.errors import ConversationError, FollowupActiveError
from conversations.domain.relationship import ConversationState, Driver
from conversations.models import ApiKey, Channel, ChannelConversation, Relationship, Role
from conversations.selectors.channels import current_conversation
from conversations.selectors.relationships import locked
from conversations.services import event_store
from conversations.services.closing import expire_if_due
from conversations.services.event_store import NewEvent
from conversations.services.reengagement import create_followup
from conversations.services.relationships import Terms, opened
from guards.selectors.policy import policy_in_force

REOPENED = "conversation_reopened"
RESOLVED = "resolved"


class FollowupLimitError(ConversationError):
    code = "followup_limit"
    title = "This conversation was followed up too often"


@dataclass(frozen=True, slots=True)
class ChannelCaller:
    """A channel in the place of an API key: trusted like a router, named as itself in the ledger."""

    actor: str
    role: str = Role.ROUTER
    participant: None = None
    participant_id: None = None
    user: None = None


def caller_of(channel: Channel) -> ApiKey:
    """Whom the services see when a channel acts; it has all they read of a key, and no row."""
    return cast(ApiKey, ChannelCaller(channel.actor))


def conversation_for(channel: Channel, external_id: str, contact: Contact, *, status: str) -> ChannelConversation:
    """The open conversation behind an external one: known, new, or a follow-up of one that ended."""
    try:
        with transaction.atomic():
            row = current_conversation(channel, external_id) or begun(channel, external_id, contact)
            row = still_open(channel, row)
            if row.remote_status != status:
                row.remote_status = status
                row.save(update_fields=["remote_status"])
            return row
    except IntegrityError:  # somebody else began or continued it in the same moment: theirs counts
        theirs = current_conversation(channel, external_id)
        if theirs is None:
            raise
        return theirs


def begun(channel: Channel, external_id: str, contact: Contact) -> ChannelConversation:
    terms = Terms(
        initiator=f"{channel.kind}:{channel.pk}",
        responder=f"{channel.kind}:{channel.pk}:{contact.id}",
        context={"channel": str(channel.pk), "conversation": external_id, "contact": contact.name},
        driver=Driver(channel.driver),
        flow=channel.flow,
        channel=channel.kind,
    )
    relationship = opened(terms, actor=channel.actor, now=timezone.now())
    return ChannelConversation.objects.create(channel=channel, external_id=external_id, relationship=relationship)


def still_open(channel: Channel, row: ChannelConversation) -> ChannelConversation:
    """The row itself, or its successor where the conversation has ended meanwhile."""
    now = timezone.now()
    relationship = locked(row.relationship_id)
    expire_if_due(relationship, now=now)
    if relationship.conversation_state == ConversationState.ACTIVE:
        return row
    check_followups(channel, row, now=now)
    successor = followed_up(channel, relationship)
    ChannelConversation.objects.filter(pk=row.pk).update(current=False)
    if row.remote_status == RESOLVED:
        payload = {"previous_fir_a_id": str(relationship.pk), "conversation": row.external_id}
        event_store.append(successor, NewEvent(REOPENED, channel.actor, payload), now=now)
    return ChannelConversation.objects.create(
        channel=channel, external_id=row.external_id, relationship=successor, remote_status=row.remote_status
    )


def followed_up(channel: Channel, ended: Relationship) -> Relationship:
    try:
        return create_followup(relationship_id=ended.pk, appointment=None, caller=caller_of(channel))
    except FollowupActiveError as active:  # an operator was quicker
        return locked(active.figures["followup"])


def check_followups(channel: Channel, row: ChannelConversation, *, now: datetime) -> None:
    """Two bots that talk past each other's ends would otherwise follow each other up for ever.

    The depth and time a single relationship may have are also the measure for a row of them.
    """
    policy = policy_in_force().document.relationship
    since = now - timedelta(hours=float(policy.timebox_hours))
    past = ChannelConversation.objects.filter(channel=channel, external_id=row.external_id, opened_at__gte=since)
    if past.count() >= policy.max_depth:
        raise FollowupLimitError(f"{policy.max_depth} conversations within {policy.timebox_hours} hours are enough.")
