"""Clarifying: a question of ours is open, perhaps about a confirmation that is still pending."""

from conversations.domain.dialogue.confirmation import is_pending, read_answer
from conversations.domain.dialogue.draft import Draft, Situation
from conversations.domain.dialogue.handlers import requests
from conversations.domain.dialogue.moves import answer_pending, clarify
from conversations.domain.dialogue.pagination import belongs_to
from conversations.domain.dialogue.searching import show_more
from conversations.domain.dialogue.states import State
from conversations.domain.intents.types import Intent


def handle(draft: Draft, situation: Situation) -> Draft:
    """Take the answer if it is one; anything else is asked about again, as often as the cap allows."""
    turn = situation.turn
    pending = draft.state.pending_confirmation
    answer = read_answer(turn.understood, turn.text, pending)
    if answer and is_pending(pending):
        return answer_pending(draft, situation, answer)
    if planned := requests.take(draft, situation):
        return planned
    if not turn.understood.clearly(Intent.SHOW_MORE):
        return clarify(draft, situation, "ask_query", "unresolved")
    if not belongs_to(draft.side.query, draft.state.pagination.last_query_hash):
        return clarify(draft, situation, "ask_criteria", "no_live_query")
    return show_more(draft.hop(State.RECOMMENDING, "clarification_resolved"), situation)
