"""Idle: nothing is open, everything may begin."""

from collections.abc import Mapping

from conversations.domain.dialogue.draft import Draft, Situation
from conversations.domain.dialogue.handlers import requests
from conversations.domain.dialogue.moves import clarify, say
from conversations.domain.intents.types import Intent

ANSWERS: Mapping[str | None, str] = {
    Intent.GREETING: "greeting",
    Intent.THANKS: "thanks",
    Intent.CONFIRM: "nothing_to_confirm",
    Intent.CANCEL: "nothing_to_confirm",
}
"""What is answered without going anywhere."""


def handle(draft: Draft, situation: Situation) -> Draft:
    """Search, ask for a confirmation, chat, or ask what is meant."""
    if planned := requests.take(draft, situation):
        return planned
    intent = situation.turn.understood.clear_intent
    if intent in ANSWERS:
        return say(draft, situation, ANSWERS[intent])
    if intent == Intent.SHOW_MORE:
        return clarify(draft, situation, "ask_criteria", "no_live_query")
    return clarify(draft, situation, "ask_query", "ambiguous")
