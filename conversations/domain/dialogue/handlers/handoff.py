"""Handoff: a person was asked for and has not taken over yet."""

from dataclasses import replace

from conversations.domain.dialogue.draft import Draft, Situation
from conversations.domain.dialogue.moves import say
from conversations.domain.dialogue.states import State


def handle(draft: Draft, situation: Situation) -> Draft:
    """Wait, and name the reason again so that the request cannot get lost."""
    waiting = draft.hop(State.HANDOFF, "waiting_for_human")
    return say(replace(waiting, handoff_reason=draft.side.handoff_reason), situation, "waiting")
