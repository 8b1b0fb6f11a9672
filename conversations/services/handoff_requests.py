"""The event that asks for a person: made by drivers among their own events, and by the handoff service."""

import uuid
from collections.abc import Mapping, Sequence
from typing import Any

from conversations.domain import handoff as acts
from conversations.domain.handoff_summary import summary_of
from conversations.models import Relationship
from conversations.selectors.events import chain_of
from conversations.services.event_store import NewEvent


def requested(
    relationship: Relationship,
    *,
    reason: str,
    actor: str,
    because: Mapping[str, Any] | None = None,
    after: Sequence[NewEvent] = (),
) -> NewEvent:
    """A request with a fresh handoff id, its reason and a summary of what happened, `after` being about to.

    `because` is the reason as a code with figures, where it is ours: screens say it in their own language.
    """
    events = chain_of(relationship)
    summary = summary_of(events, after, depth=relationship.conversation_depth, max_depth=relationship.max_depth)
    figures = {**({"reason": dict(because)} if because else {}), "summary": summary.to_json()}
    told = {"reason": reason, "summary": summary.in_words(), "figures": figures}
    return NewEvent(acts.REQUESTED, actor, {"handoff_id": str(uuid.uuid4()), **told})
