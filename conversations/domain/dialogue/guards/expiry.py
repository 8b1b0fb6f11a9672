"""Step 5: an open question does not stay open for ever."""

from dataclasses import replace

from conversations.domain.dialogue.confirmation import has_expired, read_answer
from conversations.domain.dialogue.draft import Draft, Situation
from conversations.domain.dialogue.moves import say
from conversations.domain.dialogue.states import State

NAME = "expiry"


def apply(draft: Draft, situation: Situation) -> Draft:
    """Clear an expired question and return to idle; a clear new intent is then handled from there.

    While clarifying, the question is first taken up again: the table has no way from clarifying to idle.
    """
    pending = draft.state.pending_confirmation
    if not has_expired(pending, situation.now, situation.policy.confirmation_seconds):
        return draft.passes(NAME, "nothing has expired")
    if draft.at is State.CLARIFYING:
        draft = draft.hop(State.AWAITING_CONFIRMATION, "pending_resumed")
    draft = replace(draft.hop(State.IDLE, "confirmation_expired"), expired=pending)
    draft = draft.fires(NAME, f"the question of {pending.created_at} has expired")
    turn = situation.turn
    answer = read_answer(turn.understood, turn.text, pending)
    if answer is None and turn.understood.is_clear:
        return draft
    heard = draft.heard(answer or turn.understood.intent)
    return say(heard, situation, "confirmation_expired").settled(NAME)
