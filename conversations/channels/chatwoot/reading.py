"""What a Chatwoot webhook means. Messages of every kind arrive, our own among them; only a few are to be answered."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from typing import Any

from conversations.channels.heard import (
    Contact,
    Envelope,
    Heard,
    Nothing,
    Payload,
    Rated,
    Said,
    Spoken,
    StatusTold,
    UnreadableDelivery,
    identifier,
    mapping,
    words,
)

PENDING = "pending"
STATUSES = ("open", "resolved", PENDING, "snoozed")  # inside arrays these are the integers 0 to 3
MESSAGE_TYPES = ("incoming", "outgoing", "activity", "template")  # likewise
MESSAGE_EVENTS = ("message_created", "message_updated")
STATUS_EVENTS = (
    "conversation_status_changed",
    "conversation_updated",
    "conversation_opened",
    "conversation_resolved",
    "conversation_created",
)
TRIGGERED = "webwidget_triggered"
SUBMITTED = ("submitted_values", "submitted_email")
MEANINGS = frozenset({"show_more", "select", "confirm", "cancel", "human"})


def envelope(payload: Payload, headers: Mapping[str, str], body: bytes) -> Envelope:
    """Messages are known by event and message id; an update also by what was submitted, since it may come in steps."""
    event = words(payload, "event")[:60]
    if event == MESSAGE_EVENTS[0]:
        return Envelope(event, f"{event}:{identifier(payload, 'id')}")
    if event == MESSAGE_EVENTS[1]:
        told = json.dumps(submitted(payload), sort_keys=True).encode()
        return Envelope(event, f"{event}:{identifier(payload, 'id')}:{hashlib.sha256(told).hexdigest()}")
    if event in STATUS_EVENTS or event == TRIGGERED:
        # The same state may be told again in the same words a minute later: the signed moment tells the two apart.
        moment = headers.get("X-Chatwoot-Timestamp", "")
        return Envelope(event, f"{event}:{moment[:12]}:{hashlib.sha256(body).hexdigest()}")
    raise UnreadableDelivery(f"unknown event {event!r}")


def read(payload: Payload) -> Heard:
    """The one thing this delivery means."""
    event = words(payload, "event")
    if event == TRIGGERED:
        return Nothing(TRIGGERED)
    if event in STATUS_EVENTS:
        return StatusTold(identifier(payload, "id"), status_of(payload), contact_of(payload), previous_status(payload))
    if payload.get("private"):
        return Nothing("private_note")
    if event == MESSAGE_EVENTS[1]:
        return updated(payload)
    return created(payload)


def created(payload: Payload) -> Heard:
    """A new message: the visitor's, ours, a person's, or nobody's."""
    kind = named(payload.get("message_type"), MESSAGE_TYPES)
    if kind == "incoming":
        return visitor(payload, message_id=identifier(payload, "id"), text=words(payload, "content"))
    if kind != "outgoing":
        return Nothing(kind)
    conversation = mapping(payload, "conversation")
    return Spoken(
        conversation=identifier(conversation, "id"),
        status=status_of(conversation),
        contact=contact_of(conversation),
        message_id=identifier(payload, "id"),
        text=words(payload, "content"),
        person=person_of(payload.get("sender")),
    )


def updated(payload: Payload) -> Heard:
    """An update says something only where the visitor filled something in: a choice, an address, an opinion."""
    told = submitted(payload)
    if not any(told):
        return Nothing("nothing_submitted")
    values, email = told
    if payload.get("content_type") == "input_csat":
        return rating(payload, values)
    message_id = f"{identifier(payload, 'id')}:submitted"
    if not values:
        return visitor(payload, message_id=message_id, text=str(email))
    first = values[0] if isinstance(values, Sequence) and not isinstance(values, str) else values
    if not isinstance(first, Mapping):
        raise UnreadableDelivery("submitted_values is no list of choices")
    value = str(first.get("value") or "")
    meaning, _, target = value.partition(":")
    text = str(first.get("title") or value)
    if meaning not in MEANINGS:
        return visitor(payload, message_id=message_id, text=text)
    return visitor(payload, message_id=message_id, text=text, meaning=meaning, target_id=target or None)


def visitor(payload: Payload, *, message_id: str, text: str, **click: str | None) -> Said:
    """Words or a click. A click while a person has the conversation is no more answered than words are."""
    conversation = mapping(payload, "conversation")
    status = status_of(conversation)
    silence = None if text.strip() or click else "no_text"
    if status != PENDING:
        silence = f"conversation_{status}"
    elif held_by_person(conversation):
        silence = "assigned_to_a_person"
    return Said(
        conversation=identifier(conversation, "id"),
        status=status,
        contact=contact_of(conversation, payload),
        message_id=message_id,
        text=text,
        silence=silence,
        **click,
    )


def rating(payload: Payload, values: Any) -> Heard:
    response = values.get("csat_survey_response") if isinstance(values, Mapping) else None
    score = response.get("rating") if isinstance(response, Mapping) else None
    if isinstance(score, bool) or not isinstance(score, int) or not 1 <= score <= 5:
        raise UnreadableDelivery("csat_survey_response has no rating from 1 to 5")
    comment = words(response or {}, "feedback_message")
    return Rated(identifier(mapping(payload, "conversation"), "id"), score, comment)


def submitted(payload: Payload) -> tuple[Any, Any]:
    """What the visitor filled into a message of ours."""
    attributes = payload.get("content_attributes")
    if not isinstance(attributes, Mapping):
        return (None, None)
    return (attributes.get(SUBMITTED[0]), attributes.get(SUBMITTED[1]))


def person_of(sender: Any) -> str | None:
    """The name of the person who spoke for our side; None for a bot. Where nobody is named, it was a person."""
    if not isinstance(sender, Mapping):
        return "somebody"
    if sender.get("type") == "agent_bot":
        return None
    return str(sender.get("name") or sender.get("email") or f"user {sender.get('id')}")[:150]


def held_by_person(conversation: Payload) -> bool:
    meta = conversation.get("meta")
    if not isinstance(meta, Mapping) or not meta.get("assignee"):
        return False
    return str(meta.get("assignee_type") or "User").replace("_", "").casefold() != "agentbot"


def contact_of(conversation: Payload, payload: Payload | None = None) -> Contact:
    """The visitor: who the conversation is with, else who sent this, else the conversation itself."""
    meta = conversation.get("meta")
    sender = meta.get("sender") if isinstance(meta, Mapping) else None
    if not isinstance(sender, Mapping) and payload is not None and payload.get("message_type") in ("incoming", 0):
        sender = payload.get("sender")
    if isinstance(sender, Mapping) and sender.get("id") is not None:
        return Contact(identifier(sender, "id"), words(sender, "name")[:200])
    return Contact(f"conversation {identifier(conversation, 'id')}")


def previous_status(payload: Payload) -> str | None:
    """The status before a change, where the update names it."""
    changes = payload.get("changed_attributes")
    for change in changes if isinstance(changes, list) else ():
        told = change.get("status") if isinstance(change, Mapping) else None
        if isinstance(told, Mapping):
            return named(told.get("previous_value"), STATUSES)
    return None


def status_of(conversation: Payload) -> str:
    return named(conversation.get("status"), STATUSES)


def named(value: Any, names: tuple[str, ...]) -> str:
    """A name, spelled out or as its number."""
    if isinstance(value, str) and value in names:
        return value
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < len(names):
        return names[value]
    raise UnreadableDelivery(f"{value!r} is none of {', '.join(names)}"[:200])
