"""The seven dialogue states and the 29 ways between them, as the seed's section 3 lists them."""

from collections.abc import Mapping
from enum import StrEnum


class State(StrEnum):
    """A node of the dialogue machine."""

    IDLE = "idle"
    CLARIFYING = "clarifying"
    RECOMMENDING = "recommending"
    AWAITING_CONFIRMATION = "awaiting_confirmation"
    PAGINATING = "paginating"
    ERROR = "error"
    HANDOFF = "handoff"


TRANSITIONS: Mapping[State, Mapping[State, str]] = {
    State.IDLE: {
        State.RECOMMENDING: "clear product-search intent",
        State.CLARIFYING: "ambiguous or underspecified query",
        State.AWAITING_CONFIRMATION: "intent requires explicit confirmation before action",
        State.ERROR: "recoverable system failure",
        State.HANDOFF: "explicit request for a human, or hard policy or system condition",
    },
    State.CLARIFYING: {
        State.RECOMMENDING: "clarification resolved and searchable query formed",
        State.AWAITING_CONFIRMATION: "clarification implies an action needing confirmation",
        State.CLARIFYING: "additional clarification needed",
        State.HANDOFF: "clarification limit exceeded",
        State.ERROR: "recoverable processing failure",
    },
    State.RECOMMENDING: {
        State.PAGINATING: "user chooses show_more",
        State.AWAITING_CONFIRMATION: "user selects an item requiring confirmation",
        State.CLARIFYING: "repeated unresolved intent or filter ambiguity",
        State.IDLE: "response complete and no pending action",
        State.ERROR: "recoverable issue while preparing the response",
        State.HANDOFF: "request for a human, or policy or system condition",
    },
    State.AWAITING_CONFIRMATION: {
        State.RECOMMENDING: "confirmation accepted and next result should be shown",
        State.IDLE: "cancellation, or completion with no further action",
        State.CLARIFYING: "reply is neither valid confirmation nor cancellation",
        State.HANDOFF: "expiry and repeated ambiguity, or explicit request for a human",
        State.ERROR: "recoverable execution failure after confirmation",
    },
    State.PAGINATING: {
        State.RECOMMENDING: "next page found and rendered",
        State.IDLE: "no more results",
        State.CLARIFYING: "lost or invalid query context",
        State.ERROR: "recoverable pagination failure",
    },
    State.ERROR: {
        State.IDLE: "fallback or retry prepared and state normalised",
        State.HANDOFF: "repeated errors or request for a human",
    },
    State.HANDOFF: {
        State.HANDOFF: "waiting for human ownership",
        State.IDLE: "explicit human resolution and return to the bot",
    },
}

RESETTING = frozenset({State.RECOMMENDING, State.IDLE, State.HANDOFF})
"""Entering one of these sets `clarification_attempts` to 0 (seed 002, 4.3)."""

KEEPS_PENDING = frozenset({State.AWAITING_CONFIRMATION, State.CLARIFYING})
"""Only here does a pending confirmation live; everywhere else it is cleared on the way in."""


def is_legal(source: State, target: State) -> bool:
    """Whether the seed allows this pair."""
    return target in TRANSITIONS[source]


def legal_targets(source: State) -> tuple[State, ...]:
    """Where a dialogue may go from here, in the seed's order."""
    return tuple(TRANSITIONS[source])


def path_to_handoff(source: State) -> tuple[State, ...]:
    """The hops to a human: direct where the table allows it, else through `error` (only from paginating)."""
    return (State.HANDOFF,) if is_legal(source, State.HANDOFF) else (State.ERROR, State.HANDOFF)
