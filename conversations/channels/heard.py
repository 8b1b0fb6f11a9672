"""What a delivery can mean, whichever system it came from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


class UnreadableDelivery(Exception):
    """The payload has a shape we do not know; `reason` says where it stopped making sense."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Envelope:
    """What is known of a delivery before it is worked: its event's name, and what makes it the same one again."""

    event: str
    dedupe_key: str
    challenge: str | None = None


@dataclass(frozen=True, slots=True)
class Contact:
    """Whoever is on the other side."""

    id: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Said:
    """A visitor's words or click. `silence` is why it must not be answered, where it must not."""

    conversation: str
    status: str
    contact: Contact
    message_id: str
    text: str
    meaning: str | None = None
    target_id: str | None = None
    silence: str | None = None


@dataclass(frozen=True, slots=True)
class Spoken:
    """Words from our side of the conversation: ours, another bot's, or a person's (then `person` says whose)."""

    conversation: str
    status: str
    contact: Contact
    message_id: str
    text: str
    person: str | None


@dataclass(frozen=True, slots=True)
class StatusTold:
    """The other side says what state the conversation is in, and sometimes what it was in before."""

    conversation: str
    status: str
    contact: Contact
    previous: str | None = None


@dataclass(frozen=True, slots=True)
class Rated:
    """The visitor's opinion afterwards."""

    conversation: str
    score: int
    comment: str


@dataclass(frozen=True, slots=True)
class ThreadSaid:
    """A message in a thread of personas; `own_id` is the id under which we would know it as ours."""

    conversation: str
    event_id: str
    sender: str
    text: str
    ts: str
    own_id: str
    subtype: str | None = None
    bot_id: str | None = None


@dataclass(frozen=True, slots=True)
class Nothing:
    """Seen, and rightly left alone."""

    reason: str


Heard = Said | Spoken | StatusTold | Rated | ThreadSaid | Nothing
Payload = Mapping[str, Any]


def mapping(payload: Payload, name: str) -> Payload:
    """A member that must be an object."""
    value = payload.get(name)
    if not isinstance(value, Mapping):
        raise UnreadableDelivery(f"{name} is no object")
    return value


def identifier(payload: Payload, name: str) -> str:
    """A member that must be a number or a short text."""
    value = payload.get(name)
    if isinstance(value, bool) or not isinstance(value, int | str) or not 0 < len(str(value)) <= 100:
        raise UnreadableDelivery(f"{name} is no identifier")
    return str(value)


def words(payload: Payload, name: str) -> str:
    """A member that is a text, or nothing."""
    value = payload.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise UnreadableDelivery(f"{name} is no text")
    return value
