"""The event that asks for a person: made by drivers among their own events, and by the handoff service."""

import uuid
from collections.abc import Sequence

from conversations.domain import handoff as acts
from conversations.domain.handoff import summary_of
from conversations.models import Relationship
from conversations.selectors.events import chain_of
from conversations.services.event_store import NewEvent


def requested(relationship: Relationship, *, reason: str, actor: str, after: Sequence[NewEvent] = ()) -> NewEvent:
    """A request with a fresh handoff id, its reason and a summary of what happened, `after` being about to."""
    events = chain_of(relationship)
    summary = summary_of(events, after, depth=relationship.conversation_depth, max_depth=relationship.max_depth)
    return NewEvent(acts.REQUESTED, actor, {"handoff_id": str(uuid.uuid4()), "reason": reason, "summary": summary})
