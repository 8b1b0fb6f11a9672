"""Paginating: a page was being fetched when the last turn ended; the engine itself never rests here."""

from conversations.domain.dialogue.draft import Draft, Situation
from conversations.domain.dialogue.handlers import idle
from conversations.domain.dialogue.searching import fetch_page
from conversations.domain.dialogue.states import State
from conversations.domain.intents.types import Intent


def handle(draft: Draft, situation: Situation) -> Draft:
    """Fetch the page again if it is still wanted, else leave it and begin anew."""
    if situation.turn.understood.clearly(Intent.SHOW_MORE):
        return fetch_page(draft, situation, draft.state.pagination)
    return idle.handle(draft.hop(State.IDLE, "page_abandoned"), situation)
