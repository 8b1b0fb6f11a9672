"""Speaking in a channel: the owner is looked at again right before the call, and what came of it is remembered."""

import json
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from conversations.channels.registry import ADAPTERS
from conversations.channels.spoken import Speaker
from conversations.domain import handoff
from conversations.domain.relationship import ConversationState, OwnerKind
from conversations.domain.turns import OWNED_BY_HUMAN, TURN
from conversations.models import Channel, ChannelConversation, Event, OutboxMessage
from conversations.selectors.events import as_recorded
from conversations.selectors.relationships import locked
from conversations.services import event_store
from conversations.services.echoes import remember_own, words_in
from conversations.services.event_store import NewEvent
from conversations.services.remote_calls import (
    Abandoned,
    RemoteFailure,
    check_breaker,
    check_status,
    failed,
    json_of,
    post,
)
from conversations.services.sealing import unsealed

WITHHELD = "reply_withheld"


def deliver(message: OutboxMessage) -> None:
    """Makes one call in the conversation the event belongs to."""
    channel = Channel.objects.get(pk=UUID(message.destination.partition(":")[2]))
    conversation = ChannelConversation.objects.get(relationship_id=message.event.relationship_id)
    if not channel.enabled:
        raise Abandoned("channel_disabled")
    if reason := reason_to_withhold(message, conversation):
        withhold(message, reason, actor=channel.actor)
        raise Abandoned(reason)
    if is_repeated_notice(message.event):
        raise Abandoned("said_already")
    check_breaker(channel)
    adapter = ADAPTERS[channel.kind]
    request = adapter.request(message.body, conversation.external_id, channel, unsealed(channel.token_sealed))
    try:
        answer = post(message, request.url, body=json.dumps(request.json).encode(), headers=request.headers)
    except RemoteFailure:
        failed(channel)
        raise
    sent = adapter.judged(answer.status, json_of(answer.body))
    check_status(channel, sent.status, retry_after=answer.retry_after)
    if sent.error:
        raise RemoteFailure(sent.error) if sent.retry else Abandoned(sent.error)
    if sent.external_id:
        remember_own(channel, message, sent.external_id)
    if status := message.body["json"].get("status"):
        ChannelConversation.objects.filter(pk=conversation.pk).update(remote_status=status)


def reason_to_withhold(message: OutboxMessage, conversation: ChannelConversation) -> str:
    """Why automation must not say this any more: a person has the conversation, or had it after this was decided."""
    if message.body["speaker"] != Speaker.BOT:
        return ""
    event: Event = message.event
    if event.relationship.owner_kind == OwnerKind.OPERATOR:
        return "owned_by_human"
    later = Event.objects.filter(relationship_id=event.relationship_id, seq__gt=event.seq)
    if later.filter(type=handoff.CLAIMED).exists():
        return "owned_by_human"
    current = ChannelConversation.objects.filter(pk=conversation.pk).values_list("remote_status", flat=True).get()
    return f"conversation_{current}" if current not in ("", "pending") else ""


def is_repeated_notice(event: Event) -> bool:
    """The notice that a person comes, in the words it was last told in during this wait.

    Once is enough for a visitor, and a bot over there would answer each one for ever.
    """
    told = as_recorded(event).content
    if told.get("suppressed") != OWNED_BY_HUMAN:
        return False
    earlier = Event.objects.filter(relationship_id=event.relationship_id, seq__lt=event.seq)
    wait_began = earlier.filter(type__in=(handoff.REQUESTED, handoff.RELEASED)).order_by("-seq").first()
    last_turn = earlier.filter(type=TURN, seq__gt=wait_began.seq if wait_began else 0).order_by("-seq").first()
    return last_turn is not None and as_recorded(last_turn).content.get("reply") == told.get("reply")


def withhold(message: OutboxMessage, reason: str, *, actor: str) -> None:
    """Keeps what was not said, as a draft for the person who has the conversation now."""
    with transaction.atomic():
        relationship = locked(message.event.relationship_id)
        if relationship.conversation_state == ConversationState.ACTIVE:
            payload = {"of_seq": message.event.seq, "reason": reason, "draft": words_in(message)}
            event_store.append(relationship, NewEvent(WITHHELD, actor, payload), now=timezone.now())
