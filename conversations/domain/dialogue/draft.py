"""A turn in the making: what is given, and what the steps have made of it so far."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

from conversations.domain.dialogue.messages import Language
from conversations.domain.dialogue.pagination import Search
from conversations.domain.dialogue.record import DialogueState, PendingConfirmation, SideColumns
from conversations.domain.dialogue.reply import Reply
from conversations.domain.dialogue.states import RESETTING, State
from conversations.domain.intents.types import Recognised
from guards.policy_document import DialoguePolicy


class Owner(StrEnum):
    """Who answers the visitor now."""

    BOT = "bot"
    QUEUE = "queue"
    OPERATOR = "operator"


@dataclass(frozen=True, slots=True)
class Turn:
    """A visitor's message, understood; `reply_id` is the id its answer will have if there is one.

    The titles are of the item it names, and of the one that waits for a yes or a no; `target_unknown` says that the
    catalogue does not have the item it names.
    """

    message_id: str
    text: str
    understood: Recognised
    reply_id: str
    language: Language = Language.ENGLISH
    target_title: str | None = None
    pending_title: str | None = None
    target_unknown: bool = False


@dataclass(frozen=True, slots=True)
class Situation:
    """Everything a step may look at and none may change; `problem` is what is wrong with `stored`."""

    turn: Turn
    stored: DialogueState
    side: SideColumns
    search: Search
    policy: DialoguePolicy
    owner: Owner
    now: datetime
    problem: str | None = None


@dataclass(frozen=True, slots=True)
class Hop:
    """One transition, with what triggered it."""

    source: State
    target: State
    trigger: str


@dataclass(frozen=True, slots=True)
class Note:
    """What one step of the fixed order did, and why."""

    name: str
    fired: bool
    reason: str


@dataclass(frozen=True, slots=True)
class Draft:
    """The turn so far. Each step answers a changed copy; `settled_by` names the one that ended it."""

    state: DialogueState
    side: SideColumns
    hops: tuple[Hop, ...] = ()
    notes: tuple[Note, ...] = ()
    reply: Reply | None = None
    prompting: bool = False
    progress: bool = False
    failed: bool = False
    settled_by: str | None = None
    handoff_reason: str | None = None
    confirmed: PendingConfirmation | None = None
    expired: PendingConfirmation | None = None
    reset_reason: str | None = None

    @property
    def at(self) -> State:
        """The state the turn has reached."""
        return self.state.state

    @property
    def attempts(self) -> int:
        """Clarification prompts sent before this turn since a state that resets the counter was entered."""
        reset = any(hop.target in RESETTING for hop in self.hops)
        return 0 if reset else self.state.clarification_attempts

    def hop(self, target: State, trigger: str) -> "Draft":
        """Move on; whether the table allows it is judged once, by the pair check."""
        hop = Hop(self.at, target, trigger)
        return replace(self, state=self.state.moved_to(target), hops=(*self.hops, hop))

    def heard(self, intent: str | None) -> "Draft":
        """Remember what the visitor wanted, as plain text even if it is one of our own labels."""
        label = None if intent is None else str(intent)
        return replace(self, state=replace(self.state, last_intent=label))

    def note(self, name: str, fired: bool, reason: str) -> "Draft":
        """Write down what a step did."""
        return replace(self, notes=(*self.notes, Note(name, fired, reason)))

    def fires(self, name: str, reason: str) -> "Draft":
        """Write down that a step intervened."""
        return self.note(name, True, reason)

    def passes(self, name: str, reason: str) -> "Draft":
        """Write down that a step had no reason to intervene."""
        return self.note(name, False, reason)

    def settled(self, by: str) -> "Draft":
        """End the turn here: later steps are written down as not reached."""
        return replace(self, settled_by=by)
