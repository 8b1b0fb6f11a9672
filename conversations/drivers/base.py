"""What every driver is: a check that raises and a decision that only says what is to be recorded."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from conversations.domain.closure import ClosureType
from conversations.domain.messages import Inbound
from conversations.models import Relationship
from conversations.services.event_store import NewEvent


@dataclass(frozen=True, slots=True)
class Decided:
    """Events to append in order, what the driver answers, and whether the conversation ends with this."""

    events: list[NewEvent]
    answer: dict[str, Any] = field(default_factory=dict)
    closes: ClosureType | None = None


class Driver(Protocol):
    def check(self, relationship: Relationship, message: Inbound, *, now: datetime) -> None:
        """Raises the first invariant the message would break."""

    def decide(self, relationship: Relationship, message: Inbound, *, now: datetime) -> Decided:
        """What happens; writes nothing itself."""
