"""One conversation as the roll-ups see it: what its columns, its turn log and its events' headers say."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from conversations.domain.events import Recorded
from flows.engine.runtime import Status, TurnEntry


@dataclass(frozen=True, slots=True)
class Talk:
    """`events` carry payloads only where a guard wrote them; `log` and `status` are None without a flow's run;
    `policy_version` is the one in force when it began."""

    channel: str
    driver: str
    flow: str
    begun: datetime
    closed: datetime | None = None
    closure_type: str | None = None
    outcome: str | None = None
    depth: int = 0
    rating: int | None = None
    policy_version: str = ""
    status: Status | None = None
    log: Sequence[TurnEntry] = field(default_factory=tuple)
    events: Sequence[Recorded] = field(default_factory=tuple)
