"""What is kept of a dialogue: the seed's `conversation_state`, and the columns beside it."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from conversations.domain.dialogue.schema import violations
from conversations.domain.dialogue.states import KEEPS_PENDING, RESETTING, State
from conversations.domain.times import from_text, to_text


class InvalidDialogueStateError(ValueError):
    """A document that is not a `conversation_state`; its text names every violation."""


@dataclass(frozen=True, slots=True)
class Pagination:
    """Where the live query stands."""

    offset: int = 0
    limit: int = 5
    last_query_hash: str | None = None


@dataclass(frozen=True, slots=True)
class PendingConfirmation:
    """The action that waits for a yes or a no; `created_at` is ISO 8601."""

    action: str | None = None
    target_id: str | None = None
    created_at: str | None = None


@dataclass(frozen=True, slots=True)
class DialogueState:
    """The seed's `conversation_state`, field by field."""

    state: State = State.IDLE
    last_intent: str | None = None
    pagination: Pagination = Pagination()
    pending_confirmation: PendingConfirmation = PendingConfirmation()
    clarification_attempts: int = 0
    last_user_message_id: str | None = None
    last_agent_message_id: str | None = None

    def moved_to(self, target: State) -> "DialogueState":
        """The record after a hop: a pending confirmation does not follow where it has no business."""
        pending = self.pending_confirmation if target in KEEPS_PENDING else PendingConfirmation()
        return replace(self, state=target, pending_confirmation=pending)

    def with_counters_reset(self) -> "DialogueState":
        """The record with `clarification_attempts` at 0 if its state is one that resets it."""
        return replace(self, clarification_attempts=0) if self.state in RESETTING else self

    def to_json(self) -> dict[str, Any]:
        """The document to be saved, checked against the seed's schema at every call."""
        document = {**asdict(self), "state": self.state.value}
        _require_valid(document)
        return document

    @classmethod
    def from_json(cls, document: Mapping[str, Any]) -> "DialogueState":
        """The record behind a stored document, or `InvalidDialogueStateError`."""
        _require_valid(document)
        return cls(
            **{
                **document,
                "state": State(document["state"]),
                "pagination": Pagination(**document["pagination"]),
                "pending_confirmation": PendingConfirmation(**document["pending_confirmation"]),
            }
        )


@dataclass(frozen=True, slots=True)
class SideColumns:
    """What the schema has no room for: the live query's words, what was shown, and the counts."""

    query: str | None = None
    shown_ids: tuple[str, ...] = ()
    repeat_count: int = 0
    error_count: int = 0
    handoff_reason: str | None = None
    last_message_at: datetime | None = None

    def handed_over(self, reason: str) -> "SideColumns":
        """The columns once a person is asked for: the counts of the machine's own trouble start anew."""
        return replace(self, handoff_reason=reason, repeat_count=0, error_count=0)

    def to_json(self) -> dict[str, Any]:
        """Plain JSON, for the event that records the turn."""
        at = self.last_message_at
        return {**asdict(self), "shown_ids": list(self.shown_ids), "last_message_at": at and to_text(at)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "SideColumns":
        """The columns a recorded turn left."""
        at = data["last_message_at"]
        return cls(
            **{
                **data,
                "shown_ids": tuple(data["shown_ids"]),
                "last_message_at": from_text(at) if at else None,
            }
        )


def _require_valid(document: object) -> None:
    if found := violations(document):
        raise InvalidDialogueStateError("; ".join(found))
