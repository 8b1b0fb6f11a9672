"""Step 12: the clarification counter follows the states that were entered and the prompt that was asked."""

from dataclasses import replace

from conversations.domain.dialogue.draft import Draft, Situation

NAME = "counter_resets"


def apply(draft: Draft, situation: Situation) -> Draft:
    """Write the counter that the turn ends with."""
    before = situation.stored.clarification_attempts
    after = draft.attempts + (1 if draft.prompting else 0)
    draft = replace(draft, state=replace(draft.state, clarification_attempts=after))
    return draft.note(NAME, before > 0 and draft.attempts == 0, f"clarification_attempts {before} → {after}")
