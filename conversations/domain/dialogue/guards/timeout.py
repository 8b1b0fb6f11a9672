"""Step 7: after a long silence the dialogue starts afresh (seed 002, section 7)."""

from datetime import timedelta

from conversations.domain.dialogue.draft import Draft, Situation
from conversations.domain.dialogue.moves import reset
from conversations.domain.dialogue.states import State

NAME = "timeout"


def apply(draft: Draft, situation: Situation) -> Draft:
    """Reset whatever was under way; idle has nothing to reset, and who waits for a person keeps waiting."""
    if draft.at in {State.IDLE, State.HANDOFF}:
        return draft.passes(NAME, f"never from {draft.at}")
    last = draft.side.last_message_at
    limit = timedelta(minutes=situation.policy.timeout_minutes)
    if last is None or situation.now - last <= limit:
        return draft.passes(NAME, "the last message is recent")
    silence = int((situation.now - last).total_seconds())
    return reset(draft, situation, NAME).fires(NAME, f"silent for {silence} s").settled(NAME)
