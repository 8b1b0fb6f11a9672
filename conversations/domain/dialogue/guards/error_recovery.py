"""Step 6: the message after an error finds the dialogue ready again."""

from conversations.domain.dialogue.draft import Draft, Situation
from conversations.domain.dialogue.states import State

NAME = "error_recovery"


def apply(draft: Draft, situation: Situation) -> Draft:
    """Leave the error state before the message is handled."""
    if draft.at is not State.ERROR:
        return draft.passes(NAME, "no error to recover from")
    return draft.hop(State.IDLE, "recovered").fires(NAME, "the last turn ended in an error")
