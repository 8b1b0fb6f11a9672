"""What a turn comes to."""

from dataclasses import dataclass
from typing import Any

from conversations.domain.dialogue.draft import Note
from conversations.domain.dialogue.record import DialogueState, PendingConfirmation, SideColumns
from conversations.domain.dialogue.reply import Reply

Transition = tuple[str, str, str]
"""From, to, trigger."""


@dataclass(frozen=True, slots=True)
class DomainEvent:
    """Something the ledger should know beside the turn itself."""

    type: str
    payload: dict[str, Any]


@dataclass(frozen=True, slots=True)
class DialogueOutcome:
    """The new record, the way there, and the answer.

    `reply` is None for a duplicate and while an operator owns the chat (`suppressed` then says so).
    `handoff_reason` is set when a person is to be asked for.
    """

    state: DialogueState
    side: SideColumns
    transitions: tuple[Transition, ...]
    guards: tuple[Note, ...]
    reply: Reply | None
    action_confirmed: PendingConfirmation | None = None
    handoff_reason: str | None = None
    confirmation_expired: PendingConfirmation | None = None
    reset_reason: str | None = None
    duplicate: bool = False
    suppressed: str | None = None

    @property
    def events(self) -> tuple[DomainEvent, ...]:
        """The events this turn leaves, in the order they happened."""
        events = []
        if self.confirmation_expired:
            events.append(DomainEvent("confirmation_expired", _action(self.confirmation_expired)))
        if self.action_confirmed:
            events.append(DomainEvent("action_confirmed", _action(self.action_confirmed)))
        if self.reset_reason:
            events.append(DomainEvent("dialogue_reset", {"reason": self.reset_reason}))
        return tuple(events)


def _action(pending: PendingConfirmation) -> dict[str, Any]:
    return {"action": pending.action, "target_id": pending.target_id}
