"""Step 8: what the message means in the state the dialogue is in."""

from collections.abc import Callable, Mapping
from dataclasses import replace

from conversations.domain.dialogue.draft import Draft, Situation
from conversations.domain.dialogue.handlers import (
    awaiting_confirmation,
    clarifying,
    handoff,
    idle,
    paginating,
    recommending,
)
from conversations.domain.dialogue.states import State

NAME = "state_handler"

HANDLERS: Mapping[State, Callable[[Draft, Situation], Draft]] = {
    State.IDLE: idle.handle,
    State.CLARIFYING: clarifying.handle,
    State.RECOMMENDING: recommending.handle,
    State.AWAITING_CONFIRMATION: awaiting_confirmation.handle,
    State.PAGINATING: paginating.handle,
    State.HANDOFF: handoff.handle,
}
"""Error has none: error recovery leaves it before the message is handled."""


def apply(draft: Draft, situation: Situation) -> Draft:
    """Let the state's handler plan the turn; a turn without a failure ends a run of errors."""
    before, understood = draft, situation.turn.understood
    draft = HANDLERS[draft.at](draft.heard(understood.intent), situation)
    if not draft.failed:
        draft = replace(draft, side=replace(draft.side, error_count=0))
    reason = f"{before.at} handled {understood.intent or 'an unclear message'}"
    return draft.note(NAME, draft.hops != before.hops, reason)
