"""The two wishes that mean the same in every state that takes them: a search and a choice."""

from conversations.domain.dialogue.draft import Draft, Situation
from conversations.domain.dialogue.moves import ask_confirmation, clarify
from conversations.domain.dialogue.searching import search
from conversations.domain.dialogue.states import State
from conversations.domain.intents.types import Intent


def take(draft: Draft, situation: Situation) -> Draft | None:
    """Plan a search or a choice, asking for what is missing; None if the message is neither."""
    understood = situation.turn.understood
    resolved = "clarification_resolved" if draft.at is State.CLARIFYING else None
    if understood.clearly(Intent.PRODUCT_SEARCH):
        return search(draft, situation, resolved or "product_search")
    if not understood.clearly(Intent.SELECT):
        return None
    if understood.target_id is None:
        return clarify(draft, situation, "ask_item", "missing_item")
    if situation.turn.target_unknown:
        return clarify(draft, situation, "ask_item", "unknown_item")
    return ask_confirmation(draft, situation, understood.target_id, resolved or "item_selected")
