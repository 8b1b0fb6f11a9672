"""Intents and responses between two parties (seed 000): checked, recorded, passed on."""

from datetime import datetime

from conversations.domain.events import INTENT, RESPONSE_PREFIX
from conversations.domain.messages import Inbound, Kind
from conversations.domain.relationship import check_automation, check_intent_window, check_open, check_sender
from conversations.drivers.base import Decided
from conversations.models import Relationship
from conversations.services.event_store import NewEvent


class RelayDriver:
    def check(self, relationship: Relationship, message: Inbound, *, now: datetime) -> None:
        """Direction first: a stranger's message never closes a conversation."""
        standing = relationship.standing
        check_sender(standing, sender=message.sender, sends_intent=message.kind == Kind.INTENT)
        check_open(standing, now=now)
        if message.kind == Kind.INTENT:
            check_automation(standing)
            check_intent_window(standing, now=now)

    def decide(self, relationship: Relationship, message: Inbound, *, now: datetime) -> Decided:
        if message.kind == Kind.INTENT:
            event_type, speaker = INTENT, relationship.initiator
        else:
            event_type, speaker = RESPONSE_PREFIX + message.content["response"], relationship.responder
        return Decided([NewEvent(event_type, speaker.actor, {"sender": message.sender, **message.content})])
