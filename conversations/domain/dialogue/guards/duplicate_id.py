"""Step 1: a message that was already handled changes nothing."""

from conversations.domain.dialogue.draft import Draft, Situation

NAME = "duplicate_id"


def apply(draft: Draft, situation: Situation) -> Draft:
    """Stop at a message id seen last; older repeats are the ingest's to refuse."""
    message_id = situation.turn.message_id
    if message_id == draft.state.last_user_message_id:
        return draft.fires(NAME, f"message {message_id} was already handled").settled(NAME)
    return draft.passes(NAME, "new message")
