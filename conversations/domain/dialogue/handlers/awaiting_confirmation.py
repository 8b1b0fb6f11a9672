"""Awaiting confirmation: a yes or a no is due, and nothing else counts as one."""

from conversations.domain.dialogue.confirmation import read_answer
from conversations.domain.dialogue.draft import Draft, Situation
from conversations.domain.dialogue.moves import answer_pending, ask_confirmation, clarify
from conversations.domain.dialogue.states import State
from conversations.domain.intents.types import Intent, Source


def handle(draft: Draft, situation: Situation) -> Draft:
    """Settle the question, put another clicked item in its place, or ask again for yes or no."""
    turn, understood = situation.turn, situation.turn.understood
    if answer := read_answer(understood, turn.text, draft.state.pending_confirmation):
        return answer_pending(draft, situation, answer)
    clicked = understood.source is Source.CLICK and understood.intent == Intent.SELECT
    if clicked and understood.target_id and not turn.target_unknown:
        changed_mind = draft.hop(State.CLARIFYING, "another_item")
        return ask_confirmation(changed_mind, situation, understood.target_id, "item_selected")
    return clarify(draft, situation, "ask_yes_or_no", "neither_yes_nor_no")
