"""Step 2: a record that cannot be right is not built upon (seed 002, section 7)."""

from collections.abc import Mapping
from typing import Any

from conversations.domain.dialogue.draft import Draft, Situation
from conversations.domain.dialogue.moves import reset
from conversations.domain.dialogue.record import (
    DialogueState,
    InvalidDialogueStateError,
    PendingConfirmation,
)
from conversations.domain.dialogue.states import KEEPS_PENDING, State
from conversations.domain.times import from_text

NAME = "consistency"


def inspect(document: Mapping[str, Any]) -> tuple[DialogueState, str | None]:
    """The stored record and what is wrong with it; of an unreadable one only the message ids are saved."""
    try:
        state = DialogueState.from_json(document)
    except InvalidDialogueStateError as error:
        return _salvage(document), str(error)
    return state, _contradiction(state)


def apply(draft: Draft, situation: Situation) -> Draft:
    """Reset an inconsistent record."""
    if situation.problem is None:
        return draft.passes(NAME, "record is consistent")
    return reset(draft, situation, "inconsistent_state").fires(NAME, situation.problem).settled(NAME)


def _salvage(document: object) -> DialogueState:
    ids = document if isinstance(document, Mapping) else {}
    user, agent = ids.get("last_user_message_id"), ids.get("last_agent_message_id")
    return DialogueState(
        last_user_message_id=user if isinstance(user, str) else None,
        last_agent_message_id=agent if isinstance(agent, str) else None,
    )


def _contradiction(state: DialogueState) -> str | None:
    pending = state.pending_confirmation
    if state.state is State.AWAITING_CONFIRMATION and pending.action is None:
        return "awaiting a confirmation of nothing"
    if pending == PendingConfirmation():
        return None
    if state.state not in KEEPS_PENDING:
        return f"pending confirmation while {state.state}"
    if pending.action is None or pending.target_id is None or pending.created_at is None:
        return "pending confirmation is incomplete"
    return None if _is_moment(pending.created_at) else "created_at is no moment in time"


def _is_moment(text: str) -> bool:
    try:
        return from_text(text).tzinfo is not None
    except ValueError:
        return False
