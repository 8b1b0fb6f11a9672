"""What somebody in the queue is told: that a person comes, and which number they have."""

from collections.abc import Mapping
from typing import Any

from conversations.domain.dialogue.messages import Language, text
from conversations.models import Handoff, Relationship
from conversations.selectors.handoffs import position_of


def language_of(relationship: Relationship) -> Language:
    """The language the conversation was opened in, where it says so."""
    named = str(relationship.context.get("language", ""))
    return Language(named) if named in list(Language) else Language.ENGLISH


def with_position(relationship: Relationship, handoff: Handoff | None, reply: Mapping[str, Any]) -> dict[str, Any]:
    """The waiting notice with the number; the text is what every channel can show."""
    position = position_of(handoff) if handoff else None
    if position is None:
        return dict(reply)
    told = text(language_of(relationship), "position", position=str(position))
    return {**reply, "text": f"{reply['text']} {told}"}
