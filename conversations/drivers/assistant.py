"""The assistant dialogue drives the conversation (seed 002): a table of states, a catalogue, confirmations."""

from dataclasses import asdict
from datetime import datetime
from typing import Any

from conversations.domain.dialogue.draft import Owner, Turn
from conversations.domain.dialogue.engine import handle
from conversations.domain.dialogue.outcome import DialogueOutcome
from conversations.domain.messages import Inbound
from conversations.domain.relationship import check_open
from conversations.domain.turns import OWNED_BY_HUMAN, SILENT, TURN
from conversations.drivers.base import Decided
from conversations.drivers.waiting import language_of, with_position
from conversations.models import Relationship
from conversations.selectors.dialogues import dialogue_of
from conversations.selectors.handoffs import open_handoff
from conversations.selectors.products import cards, is_unknown, title_of
from conversations.services.event_store import NewEvent
from conversations.services.handoff_requests import requested
from guards.selectors.policy import policy_in_force


class AssistantDriver:
    def check(self, relationship: Relationship, message: Inbound, *, now: datetime) -> None:
        check_open(relationship.standing, now=now)

    def decide(self, relationship: Relationship, message: Inbound, *, now: datetime) -> Decided:
        document, side = dialogue_of(relationship)
        outcome = handle(
            turn_of(relationship, message, document),
            document,
            side,
            cards,
            policy_in_force().document.dialogue,
            owner=Owner(relationship.owner_kind),
            now=now,
        )
        return recorded(relationship, message, outcome)


def turn_of(relationship: Relationship, message: Inbound, document: dict[str, Any]) -> Turn:
    """The message as the machine takes it, with the titles of the items it is about."""
    told = message.content
    pending = (document.get("pending_confirmation") or {}).get("target_id")
    return Turn(
        message_id=told["message_id"],
        text=told.get("text") or "",
        understood=told["understood"],
        reply_id=f"{relationship.pk}:{relationship.head_seq + 1}",
        language=language_of(relationship),
        target_title=title_of(told["understood"].target_id),
        pending_title=title_of(pending),
        target_unknown=is_unknown(told["understood"].target_id),
    )


def recorded(relationship: Relationship, message: Inbound, outcome: DialogueOutcome) -> Decided:
    """The turn as an event, what it confirmed, and perhaps a request for a person."""
    reply = outcome.reply.to_json() if outcome.reply else None
    waiting = relationship.owner_kind == Owner.QUEUE
    handoff = open_handoff(relationship)
    if reply and waiting:
        reply = with_position(relationship, handoff, reply)
    told = {
        "dialogue": outcome.state.to_json(),
        "transitions": [list(hop) for hop in outcome.transitions],
        "guards": [asdict(note) for note in outcome.guards],
        "reply": reply,
        "suppressed": OWNED_BY_HUMAN if waiting else outcome.suppressed,
    }
    speaker = relationship.responder.actor
    payload = {
        **told,
        "message_id": message.content["message_id"],
        "text": message.content.get("text") or "",
        "side": outcome.side.to_json(),
    }
    events = [NewEvent(TURN, speaker, payload)]
    events += [NewEvent(event.type, "system", event.payload) for event in outcome.events]
    answer = {
        **SILENT,
        **told,
        "status": "OK",
        "gatesSatisfied": [],
        "handoff_id": str(handoff.pk) if handoff else None,
    }
    if outcome.handoff_reason and handoff is None:
        request = requested(relationship, reason=outcome.handoff_reason, actor="system", after=events)
        events.append(request)
        answer["handoff_id"] = request.payload["handoff_id"]
    if answer["handoff_id"]:
        answer["status"] = "HANDOFF"
    return Decided(events, answer)
