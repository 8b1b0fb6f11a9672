"""Step 11: whatever was planned, only the table's pairs are made."""

from conversations.domain.dialogue.draft import Draft, Situation
from conversations.domain.dialogue.moves import reset
from conversations.domain.dialogue.states import is_legal

NAME = "pair_check"


def apply(draft: Draft, situation: Situation) -> Draft:
    """Reset on an illegal pair; nothing of such a turn takes effect."""
    for hop in draft.hops:
        if not is_legal(hop.source, hop.target):
            reason = f"{hop.source} → {hop.target} is not allowed"
            return reset(draft, situation, "illegal_transition").fires(NAME, reason).settled(NAME)
    return draft.passes(NAME, f"{len(draft.hops)} legal transitions")
