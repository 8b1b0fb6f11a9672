"""Recommending: a query is live and its cards are on the table."""

from collections.abc import Mapping

from conversations.domain.dialogue.draft import Draft, Situation
from conversations.domain.dialogue.handlers import requests
from conversations.domain.dialogue.moves import clarify, say
from conversations.domain.dialogue.searching import show_more
from conversations.domain.dialogue.states import State
from conversations.domain.intents.types import Intent

STAYING: Mapping[str | None, str] = {Intent.GREETING: "greeting", Intent.CONFIRM: "nothing_to_confirm"}
LEAVING: Mapping[str | None, str] = {Intent.THANKS: "thanks", Intent.CANCEL: "cancelled"}


def handle(draft: Draft, situation: Situation) -> Draft:
    """Turn the page, take a choice, start another search, or let the visitor go."""
    if planned := requests.take(draft, situation):
        return planned
    intent = situation.turn.understood.clear_intent
    if intent == Intent.SHOW_MORE:
        return show_more(draft, situation)
    if intent in LEAVING:
        return say(draft.hop(State.IDLE, "response_complete"), situation, LEAVING[intent])
    if intent in STAYING:
        return say(draft, situation, STAYING[intent])
    return clarify(draft, situation, "ask_query", "ambiguous")
