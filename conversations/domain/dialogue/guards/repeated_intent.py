"""Step 10: the same wish again and again without progress is not the way forward."""

from dataclasses import replace

from conversations.domain.dialogue.draft import Draft, Situation
from conversations.domain.dialogue.guards import clarification_cap
from conversations.domain.dialogue.moves import clarify
from conversations.domain.dialogue.states import State, is_legal

NAME = "repeated_intent"


def apply(draft: Draft, situation: Situation) -> Draft:
    """Count the run of one intent without progress; ask a disambiguating question when it is long enough."""
    intent, limit = draft.state.last_intent, situation.policy.repeat_intent
    count = _run_length(draft, situation)
    asking = draft.prompting or is_legal(draft.at, State.CLARIFYING)
    if count < limit or not asking:
        draft = replace(draft, side=replace(draft.side, repeat_count=count))
        return draft.passes(NAME, f"{intent}: {count} of {limit} without progress")
    draft = replace(draft, side=replace(draft.side, repeat_count=0))
    if not draft.prompting:
        draft = clarification_cap.enforce(clarify(draft, situation, "disambiguate", NAME), situation)
    return draft.fires(NAME, f"{intent} {count} times without progress")


def _run_length(draft: Draft, situation: Situation) -> int:
    intent = draft.state.last_intent
    if intent is None or draft.progress or draft.at is State.HANDOFF:
        return 0
    return situation.side.repeat_count + 1 if intent == situation.stored.last_intent else 1
