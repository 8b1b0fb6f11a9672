"""A shop, a visitor and a clock for the dialogue tests."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import Any

from conversations.domain.dialogue.draft import Owner, Turn
from conversations.domain.dialogue.engine import handle
from conversations.domain.dialogue.messages import Language
from conversations.domain.dialogue.outcome import DialogueOutcome
from conversations.domain.dialogue.pagination import CatalogueUnavailableError, query_hash
from conversations.domain.dialogue.record import (
    DialogueState,
    Pagination,
    PendingConfirmation,
    SideColumns,
)
from conversations.domain.dialogue.reply import Card
from conversations.domain.dialogue.states import State
from conversations.domain.intents.rules import RuleRecogniser
from conversations.domain.intents.types import Meaning
from conversations.domain.intents.understand import understand
from conversations.domain.times import to_text
from guards.policy_document import DialoguePolicy

NOON = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)
RECOGNISER = RuleRecogniser(["shoes", "robe", "dress", "hat"])


def cards(*ids: str) -> list[Card]:
    return [Card(product, f"Product {product}") for product in ids]


SHOES = cards(*(f"s{n}" for n in range(12)))
SHOP: Mapping[str, list[Card]] = {"shoes": SHOES, "dress": cards("d0", "d1"), "hat": []}


@dataclass
class Talk:
    """A dialogue under way: every `say` or `click` is one turn, its outcome kept and its record saved."""

    stored: Mapping[str, Any] = field(default_factory=lambda: DialogueState().to_json())
    side: SideColumns = field(default_factory=SideColumns)
    policy: DialoguePolicy = field(default_factory=DialoguePolicy)
    now: datetime = NOON
    owner: Owner = Owner.BOT
    shop_is_down: bool = False
    outcomes: list[DialogueOutcome] = field(default_factory=list)

    @property
    def state(self) -> DialogueState:
        return self.outcomes[-1].state

    def search(self, query: str, offset: int, limit: int) -> list[Card]:
        if self.shop_is_down:
            raise CatalogueUnavailableError
        return SHOP.get(query, [])[offset : offset + limit]

    def say(self, text: str = "", **given: Any) -> DialogueOutcome:
        message_id = given.pop("message_id", f"m{len(self.outcomes)}")
        title, language = given.pop("target_title", None), given.pop("language", Language.ENGLISH)
        understood = understand(text=text, recogniser=RECOGNISER, **given)
        turn = Turn(message_id, text, understood, f"{message_id}-reply", language, title)
        outcome = handle(turn, self.stored, self.side, self.search, self.policy, owner=self.owner, now=self.now)
        self.outcomes.append(outcome)
        self.stored, self.side = outcome.state.to_json(), outcome.side
        return outcome

    def click(self, meaning: Meaning, target_id: str | None = None, text: str = "") -> DialogueOutcome:
        return self.say(text, meaning=meaning, target_id=target_id)

    def wait(self, **time: float) -> None:
        self.now += timedelta(**time)


def pending(age_seconds: float = 0) -> PendingConfirmation:
    return PendingConfirmation("select", "s1", to_text(NOON - timedelta(seconds=age_seconds)))


def resting_in(state: State, **changes: Any) -> Talk:
    """A talk that is consistently in the given state, with the shoes as its live query."""
    record = DialogueState(
        state=state,
        last_intent="product_search",
        pagination=Pagination(0, 5, query_hash("shoes")),
        pending_confirmation=pending() if state is State.AWAITING_CONFIRMATION else PendingConfirmation(),
        last_user_message_id="before",
        last_agent_message_id="before-reply",
    )
    side = SideColumns(query="shoes", shown_ids=tuple(card.id for card in SHOES[:5]), last_message_at=NOON)
    return Talk(stored=replace(record, **changes).to_json(), side=side)


def path(outcome: DialogueOutcome) -> list[str]:
    """The states a turn went through, start included; empty if it stayed put."""
    return [outcome.transitions[0][0], *(target for _, target, _ in outcome.transitions)] if outcome.transitions else []


def fired(outcome: DialogueOutcome) -> list[str]:
    """The interventions of a turn, without the bookkeeping every turn has."""
    routine = {"state_handler", "counter_resets"}
    return [note.name for note in outcome.guards if note.fired and note.name not in routine]
