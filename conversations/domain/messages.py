"""What comes in: one shape for everything somebody says in a conversation."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any
from uuid import UUID


class Kind(StrEnum):
    INTENT = "intent"
    RESPONSE = "response"
    TURN = "turn"
    THREAD_EVENT = "thread_event"
    STEP = "step"


ID_FIELDS = {Kind.STEP: "step_id", Kind.THREAD_EVENT: "event_id"}


@dataclass(frozen=True, slots=True)
class Inbound:
    """A message at the door: who says what, where.

    `dedupe` is the caller's id for it; where the same id may only come with the same words, `fingerprint` tells them.
    """

    kind: Kind
    relationship_id: UUID
    sender: str
    content: Mapping[str, Any] = field(default_factory=dict)
    dedupe: str | None = None
    fingerprint: str | None = None

    @property
    def id_field(self) -> str:
        """What the contract calls the id by which this kind of message is deduplicated."""
        return ID_FIELDS.get(self.kind, "message_id")
