"""Step 4: whoever asks for a person gets one, from every state."""

from conversations.domain.dialogue.draft import Draft, Situation
from conversations.domain.dialogue.moves import hand_over
from conversations.domain.intents.types import Intent

NAME = "human_request"


def apply(draft: Draft, situation: Situation) -> Draft:
    """Hand over on a clear request."""
    if not situation.turn.understood.clearly(Intent.HUMAN):
        return draft.passes(NAME, "no request for a person")
    draft = hand_over(draft.heard(Intent.HUMAN), situation, NAME)
    return draft.fires(NAME, "the visitor asks for a person").settled(NAME)
