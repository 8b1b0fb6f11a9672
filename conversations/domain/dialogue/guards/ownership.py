"""Step 3: while a person owns or is to own the chat, the machine listens and does not speak."""

from dataclasses import replace

from conversations.domain.dialogue.draft import Draft, Owner, Situation
from conversations.domain.dialogue.guards import duplicate_id
from conversations.domain.dialogue.moves import say
from conversations.domain.dialogue.states import State

NAME = "ownership"


def apply(draft: Draft, situation: Situation) -> Draft:
    """Queue: the waiting notice only. Operator: nothing, not even the notice of a reset."""
    if draft.settled_by == duplicate_id.NAME or situation.owner is Owner.BOT:
        return draft.passes(NAME, f"owner is {situation.owner}")
    settled_by = draft.settled_by or NAME
    if draft.at is State.HANDOFF:
        draft = draft.hop(State.HANDOFF, "waiting_for_human")
    if situation.owner is Owner.QUEUE:
        draft = say(draft, situation, "waiting").fires(NAME, "waiting for a person")
    else:
        draft = replace(draft, reply=None).fires(NAME, "a person owns the conversation")
    return draft.settled(settled_by)
