"""What goes out: an event of the chain as calls to the other system, worked out before any call is made."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from conversations.domain import handoff, threads
from conversations.domain.events import Recorded


class Speaker(StrEnum):
    """On whose behalf a call is made: only what automation says is checked against the owner."""

    BOT = "bot"
    PERSON = "person"
    SERVICE = "service"


@dataclass(frozen=True, slots=True)
class Call:
    """One request: which, with what, for whom. Stored in the outbox row as it will be sent."""

    name: str
    json: Mapping[str, Any]
    speaker: Speaker
    persona: str = ""

    def stored(self) -> dict[str, Any]:
        return {"name": self.name, "json": dict(self.json), "speaker": self.speaker, "persona": self.persona}


@dataclass(frozen=True, slots=True)
class Words:
    """What an event says to the other side."""

    text: str
    speaker: Speaker
    persona: str = ""
    quick_replies: Sequence[Mapping[str, Any]] = field(default_factory=tuple)
    cards: Sequence[Mapping[str, Any]] = field(default_factory=tuple)


@dataclass(frozen=True, slots=True)
class Request:
    """A call as HTTP: a POST of JSON."""

    url: str
    headers: Mapping[str, str]
    json: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Sent:
    """What the other system answered: the id our words got, or its own word for a failure that may pass or not."""

    status: int
    external_id: str = ""
    error: str = ""
    retry: bool = False


VIA_CHANNEL = "channel"


def words_of(event: Recorded) -> Words | None:
    """The words an event carries to the other side: a person's, a persona's, or the bot's `reply`."""
    told = event.content
    if event.type == handoff.REPLIED:
        return None if told.get("via") == VIA_CHANNEL else Words(str(told.get("text", "")), Speaker.PERSON)
    if event.type == threads.REPLIED:
        return Words(str(told.get("text", "")), Speaker.BOT, persona=str(told.get("persona", "")))
    reply = told.get("reply")
    if not isinstance(reply, Mapping):
        return None
    words = Words(
        text=str(reply.get("text") or ""),
        speaker=Speaker.BOT,
        quick_replies=tuple(reply.get("quick_replies") or ()),
        cards=tuple(reply.get("cards") or ()),
    )
    return words if words.text or words.cards or words.quick_replies else None
