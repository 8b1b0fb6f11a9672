"""State is what the events say: `changes` gives what one event does to the columns, `fold` rebuilds them all.

The projection applies `changes` to the stored row, the fold to an empty one; both use the columns' own names, so
"columns = fold" is one function applied twice.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from decimal import Decimal
from typing import Any, Protocol
from uuid import UUID

from conversations.domain import events as names
from conversations.domain import handoff, loops, threads, turns, workflow_steps
from conversations.domain.events import Recorded
from conversations.domain.hash_chain import GENESIS
from conversations.domain.relationship import Appointment, ConversationState, Driver, OwnerKind, expiry
from conversations.domain.times import from_text

Changes = dict[str, Any]


class State(Protocol):
    """What `changes` reads of the row it changes."""

    @property
    def conversation_depth(self) -> int: ...
    @property
    def timebox_hours(self) -> Decimal: ...
    @property
    def appointment_start(self) -> datetime | None: ...
    @property
    def appointment_end(self) -> datetime | None: ...
    @property
    def owner_version(self) -> int: ...


@dataclass(frozen=True, slots=True)
class Folded:
    """A relationship's columns, as its events alone say."""

    initiator_id: UUID | None = None
    responder_id: UUID | None = None
    roles: Mapping[str, Any] = field(default_factory=dict)
    context: Mapping[str, Any] = field(default_factory=dict)
    humotica: str = ""
    level: int | None = None
    channel: str = "rest"
    driver: str = Driver.RELAY
    conversation_state: str = ConversationState.ACTIVE
    conversation_depth: int = 0
    max_depth: int = 5
    timebox_hours: Decimal = Decimal(24)
    appointment_id: str | None = None
    appointment_start: datetime | None = None
    appointment_end: datetime | None = None
    appointment_subject: str | None = None
    created_at: datetime | None = None
    last_activity_at: datetime | None = None
    expires_at: datetime | None = None
    closed_at: datetime | None = None
    continuation_of_id: UUID | None = None
    flow_slug: str | None = None
    flow_version: int | None = None
    flow_hash: str | None = None
    owner_kind: str = OwnerKind.BOT
    owner_operator: str | None = None
    owner_version: int = 0
    closure_type: str | None = None
    outcome: str | None = None
    closure_event: Mapping[str, Any] | None = None
    loop_risk: Decimal | None = None
    loop_finding: UUID | None = None
    rating: int | None = None
    head_seq: int = 0
    head_hash: str = GENESIS


def fold(events: Iterable[Recorded]) -> Folded:
    """The columns of a relationship, rebuilt from its events in order."""
    state = Folded()
    for event in restored(events):
        state = replace(state, **changes(state, event))
    return state


def restored(events: Iterable[Recorded]) -> list[Recorded]:
    """The events as they can still be folded: an erased one with what its erasure kept."""
    recorded = list(events)
    kept = {event.content["seq"]: event.content["kept"] for event in recorded if event.type == names.ERASED}
    return [replace(event, payload=kept.get(event.seq, {})) if event.payload is None else event for event in recorded]


def changes(state: State, event: Recorded) -> Changes:
    """The columns this event changes; an event nobody folds still moves the head."""
    apply = APPLY.get(event.type) or (exchanged if event.is_response else unchanged)
    return {**apply(state, event), "head_seq": event.seq, "head_hash": event.hash}


def created(state: State, event: Recorded) -> Changes:
    told = event.content
    appointment = told.get("appointment") or {}
    timebox = Decimal(told["timebox_hours"])
    window = appointment_of(appointment)
    return {
        "initiator_id": UUID(told["initiator"]["id"]),
        "responder_id": UUID(told["responder"]["id"]),
        "roles": told.get("roles", {}),
        "context": told.get("context", {}),
        "humotica": told.get("humotica", ""),
        "level": told["level"],
        "channel": told["channel"],
        "driver": told["driver"],
        "max_depth": told["max_depth"],
        "timebox_hours": timebox,
        "appointment_id": appointment.get("id"),
        "appointment_start": window.start if window else None,
        "appointment_end": window.end if window else None,
        "appointment_subject": appointment.get("subject"),
        "created_at": event.at,
        "last_activity_at": event.at,
        "expires_at": expiry(last_activity=event.at, timebox_hours=timebox, appointment=window),
        "continuation_of_id": UUID(told["continuation_of"]) if told.get("continuation_of") else None,
        **{f"flow_{name}": value for name, value in (told.get("flow") or {}).items()},
    }


def appointment_of(told: Mapping[str, Any]) -> Appointment | None:
    if not told.get("end"):
        return None
    return Appointment(start=from_text(told["start"]), end=from_text(told["end"]))


def exchanged(state: State, event: Recorded) -> Changes:
    """An intent or a response moves the clock; only intents deepen (R4, R5)."""
    window = None
    if state.appointment_start and state.appointment_end:
        window = Appointment(start=state.appointment_start, end=state.appointment_end)
    deeper = {"conversation_depth": state.conversation_depth + 1} if event.type == names.INTENT else {}
    return {
        **deeper,
        "last_activity_at": event.at,
        "expires_at": expiry(last_activity=event.at, timebox_hours=state.timebox_hours, appointment=window),
    }


def closed(state: State, event: Recorded) -> Changes:
    answer = {name: value for name, value in event.content.items() if name != "head"}
    return {
        "conversation_state": ConversationState.CLOSED,
        "closed_at": event.at,
        "closure_type": event.content["closure_type"],
        "outcome": event.content["outcome"],
        "closure_event": {**answer, "seq": event.seq, "hash": event.hash},
    }


def rated(state: State, event: Recorded) -> Changes:
    return {"rating": event.content["score"]}


def owned(state: State, event: Recorded) -> Changes:
    """Acts of a handoff move the owner; an operator's reply is also a sign of life."""
    moved = exchanged(state, event) if event.type == handoff.REPLIED else {}
    looked_at = {"loop_risk": None, "loop_finding": None} if event.type == handoff.RETURNED else {}
    return {**moved, **looked_at, **handoff.owner_changes(event, owner_version=state.owner_version)}


def loop_found(state: State, event: Recorded) -> Changes:
    """The board warns until a person has had the conversation."""
    return {"loop_risk": Decimal(event.content["confidence"]), "loop_finding": UUID(event.content["finding_id"])}


def migrated(state: State, event: Recorded) -> Changes:
    return {"flow_version": event.content["version"], "flow_hash": event.content["hash"]}


def unchanged(state: State, event: Recorded) -> Changes:
    return {}


APPLY: dict[str, Callable[[State, Recorded], Changes]] = {
    names.CREATED: created,
    names.INTENT: exchanged,
    names.CLOSURE: closed,
    names.RATED: rated,
    **dict.fromkeys(handoff.EVENTS, owned),
    turns.TURN: exchanged,
    **dict.fromkeys(threads.SAID, exchanged),
    workflow_steps.TAKEN: exchanged,
    loops.FOUND: loop_found,
    turns.MIGRATED: migrated,
}
