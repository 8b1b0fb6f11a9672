"""Everything the guards look at, gathered by the service under its locks."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import Any


class Stage(StrEnum):
    """The guards run twice: when a message arrives, and when its reply is about to be posted."""

    DECISION = "decision"
    POSTING = "posting"


@dataclass(frozen=True, slots=True)
class Persona:
    """A persona and how long ago it last posted, in any thread; None if it never did."""

    handle: str
    last_post_age_ms: int | None = None


@dataclass(frozen=True, slots=True)
class ThreadContext:
    """A thread as the message to be answered found it, and as it is again before the reply is posted.

    `turns`, `last_message_age_ms` and `last_persona` always leave out the message being answered: at the
    decision they describe what was there before it, at posting also what has arrived since. Skipped
    messages count among them. Ages are whole milliseconds, rounded down.

    `thread_active` and `active_threads_elsewhere` count threads that had a turn inside the policy's
    window which the active-threads guard admitted: a message refused for want of room must not take the
    room by being refused. At posting the answered message has been admitted and counts.
    """

    thread: str
    event_id: str
    turns: int
    last_message_age_ms: int | None
    personas: tuple[Persona, ...]
    sender_persona: str | None = None
    last_persona: str | None = None
    thread_active: bool = False
    active_threads_elsewhere: int = 0
    subtype: str | None = None
    has_bot_id: bool = False
    has_bot_profile: bool = False
    own_identity: bool = False
    stage: Stage = Stage.DECISION

    def for_posting(self, handle: str) -> "ThreadContext":
        """The same look at the thread, asked of one persona that is about to post."""
        chosen = tuple(persona for persona in self.personas if persona.handle == handle)
        return replace(self, personas=chosen, stage=Stage.POSTING)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON without floats, to be kept beside the decision."""
        personas = [asdict(persona) for persona in self.personas]
        return {**asdict(self), "personas": personas, "stage": self.stage.value}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "ThreadContext":
        """The context a recorded decision was made in."""
        personas = tuple(Persona(**persona) for persona in data["personas"])
        return cls(**{**data, "personas": personas, "stage": Stage(data["stage"])})
