"""Step 9: the prompt that would be one too many is not sent; a person takes over."""

from dataclasses import replace

from conversations.domain.dialogue.draft import Draft, Situation
from conversations.domain.dialogue.moves import hand_over

NAME = "clarification_cap"


def apply(draft: Draft, situation: Situation) -> Draft:
    """Enforce the cap on what the handler planned."""
    capped = enforce(draft, situation)
    if capped is not draft:
        return capped.fires(NAME, f"{draft.attempts} questions were asked already")
    if not draft.prompting:
        return draft.passes(NAME, "no question to ask")
    return draft.passes(NAME, f"question {draft.attempts + 1} of {situation.policy.clarification_cap}")


def enforce(draft: Draft, situation: Situation) -> Draft:
    """The draft itself, or, if its prompt exceeds the cap, a handoff in place of the hop to clarifying."""
    if not draft.prompting or draft.attempts < situation.policy.clarification_cap:
        return draft
    *kept, asking = draft.hops
    before = replace(draft, state=draft.state.moved_to(asking.source), hops=tuple(kept))
    return hand_over(before, situation, "low_confidence")
