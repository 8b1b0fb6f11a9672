"""Where an assistant conversation stands."""

from typing import Any

from conversations.domain.dialogue.record import DialogueState, SideColumns
from conversations.models import Dialogue, Relationship


def dialogue_of(relationship: Relationship) -> tuple[dict[str, Any], SideColumns]:
    """The stored document, whatever became of it, and the columns beside it; a new dialogue is idle."""
    stored = Dialogue.objects.filter(pk=relationship.pk).first()
    if stored is None:
        return DialogueState().to_json(), SideColumns()
    side = SideColumns(
        query=stored.query,
        shown_ids=tuple(stored.shown_ids),
        repeat_count=stored.repeat_count,
        error_count=stored.error_count,
        handoff_reason=stored.handoff_reason,
        last_message_at=stored.last_message_at,
    )
    return stored.conversation_state, side
