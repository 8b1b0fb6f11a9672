"""Persona threads as their events tell them: names, and what each event does to a thread and to a reply."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from hashlib import sha256
from typing import Any, Protocol

from conversations.domain.canonical import canonical_text
from conversations.domain.events import Recorded
from conversations.domain.times import from_text
from guards.policies import active_threads

OPENED = "thread_opened"
MESSAGE = "thread_message"
SCHEDULED = "persona_scheduled"
SKIPPED = "persona_skipped"
POSTPONED = "persona_postponed"
THINKING = "persona_thinking"
REPLIED = "persona_replied"
DROPPED = "persona_dropped"
DRAFTED = "persona_drafted"

CONDUCTOR = "conductor"

SAID = (MESSAGE, REPLIED)
DECIDED = (SCHEDULED, SKIPPED)
EVENTS = (OPENED, MESSAGE, SCHEDULED, SKIPPED, POSTPONED, THINKING, REPLIED, DROPPED, DRAFTED)

OWNER_CHANGED = "owner_changed"
RESPONDER_FAILED = "responder_failed"

# What a payload says of people; the rest are figures and our own personas.
WORDS = frozenset({"sender", "text"})


class ReplyState(StrEnum):
    SCHEDULED = "scheduled"
    THINKING = "thinking"
    POSTED = "posted"
    DROPPED = "dropped"
    DRAFTED = "drafted"


OPEN = (ReplyState.SCHEDULED, ReplyState.THINKING)
SETTLED = {REPLIED: ReplyState.POSTED, DROPPED: ReplyState.DROPPED, DRAFTED: ReplyState.DRAFTED}


class Thread(Protocol):
    turns: int


def thread_changes(thread: Thread, event: Recorded) -> dict[str, Any]:
    """The columns of the thread this event changes."""
    told = event.content
    changed: dict[str, Any] = {}
    if event.type in SAID:
        changed = {"turns": thread.turns + 1, "last_message_at": event.at, "last_message_seq": event.seq}
        if told.get("persona"):
            changed |= {"last_persona": told["persona"], "last_persona_seq": event.seq}
    if event.type in (*DECIDED, REPLIED) and admitted(told):
        changed["last_active_at"] = event.at
    return changed


def admitted(told: Mapping[str, Any]) -> bool:
    """Whether this is about a turn that the active-threads guard let in: only such a turn makes its thread active."""
    return told["answers_seq"] is not None and any(
        verdict["guard"] == active_threads.NAME and verdict["allowed"] for verdict in told["verdicts"]
    )


def reply_changes(event: Recorded) -> dict[str, Any]:
    """The columns of the scheduled reply this event changes."""
    told = event.content
    if event.type == SCHEDULED:
        return {
            "persona": told["persona"],
            "answers_event": told["event_id"],
            "answers_seq": told["answers_seq"],
            "context": told["context"],
            "owner_version": told["owner_version"],
            "scheduled_at": event.at,
            "due_at": from_text(told["due_at"]),
        }
    if event.type == THINKING:
        return {"state": ReplyState.THINKING, "due_at": from_text(told["lease_until"]), "attempts": told["attempt"]}
    if event.type == POSTPONED:
        waits = {"state": ReplyState.SCHEDULED, "due_at": from_text(told["due_at"])}
        return {**waits, "text": told["text"]} if told.get("text") is not None else waits
    return {"state": SETTLED[event.type], "text": None}


def fingerprint(message: Mapping[str, Any]) -> str:
    """What makes a second message of the same event id the same message."""
    return sha256(canonical_text(message).encode()).hexdigest()


def elapsed_ms(since: datetime, until: datetime) -> int:
    """Whole milliseconds between two moments, rounded down; a clock that went back gives none."""
    return max(0, int((until - since).total_seconds() * 1000))


def age_ms(moment: datetime | None, *, now: datetime) -> int | None:
    """How old something is; None for what never was."""
    return None if moment is None else elapsed_ms(moment, now)
