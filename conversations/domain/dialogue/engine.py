"""One turn of the assistant dialogue: twelve steps in a fixed order (D14), each leaving a note."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from types import ModuleType
from typing import Any

from conversations.domain.dialogue.draft import Draft, Owner, Situation, Turn
from conversations.domain.dialogue.guards import (
    clarification_cap,
    consistency,
    counter_resets,
    duplicate_id,
    error_recovery,
    expiry,
    human_request,
    ownership,
    pair_check,
    repeated_intent,
    state_handler,
    timeout,
)
from conversations.domain.dialogue.outcome import DialogueOutcome
from conversations.domain.dialogue.pagination import Search
from conversations.domain.dialogue.record import SideColumns
from guards.policy_document import DialoguePolicy

STEPS: tuple[ModuleType, ...] = (
    duplicate_id,
    consistency,
    ownership,
    human_request,
    expiry,
    error_recovery,
    timeout,
    state_handler,
    clarification_cap,
    repeated_intent,
    pair_check,
    counter_resets,
)
RUN_EVEN_IF_SETTLED = (ownership, pair_check, counter_resets)
"""A reset must not speak over a person, and every turn's hops and counters are checked."""


def handle(
    turn: Turn,
    stored: Mapping[str, Any],
    side: SideColumns,
    search: Search,
    policy: DialoguePolicy,
    *,
    owner: Owner,
    now: datetime,
) -> DialogueOutcome:
    """Take one message; `stored` is the saved `conversation_state` document, whatever became of it."""
    state, problem = consistency.inspect(stored)
    situation = Situation(turn, state, side, search, policy, owner, now, problem)
    draft = Draft(state, side)
    for step in STEPS:
        if draft.settled_by and step not in RUN_EVEN_IF_SETTLED:
            draft = draft.passes(step.NAME, f"not reached: {draft.settled_by} settled the turn")
        else:
            draft = step.apply(draft, situation)
    return _outcome(draft, situation)


def _outcome(draft: Draft, situation: Situation) -> DialogueOutcome:
    turn, duplicate = situation.turn, draft.settled_by == duplicate_id.NAME
    state, side = draft.state, draft.side
    if not duplicate:
        agent = turn.reply_id if draft.reply else state.last_agent_message_id
        state = replace(state, last_user_message_id=turn.message_id, last_agent_message_id=agent)
        side = replace(side, last_message_at=situation.now)
    return DialogueOutcome(
        state=state,
        side=side,
        transitions=tuple((hop.source.value, hop.target.value, hop.trigger) for hop in draft.hops),
        guards=draft.notes,
        reply=draft.reply,
        action_confirmed=draft.confirmed,
        handoff_reason=draft.handoff_reason,
        confirmation_expired=draft.expired,
        reset_reason=draft.reset_reason,
        duplicate=duplicate,
        suppressed="owned_by_human" if situation.owner is Owner.OPERATOR and not duplicate else None,
    )
