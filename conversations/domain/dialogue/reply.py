"""What goes back to the visitor."""

from dataclasses import asdict, dataclass
from typing import Any

from conversations.domain.intents.types import Meaning


@dataclass(frozen=True, slots=True)
class Card:
    """A product as it is shown; the price is a decimal's text because the ledger holds no floats."""

    id: str
    title: str
    description: str = ""
    price: str | None = None
    currency: str | None = None
    url: str | None = None
    image_url: str | None = None


@dataclass(frozen=True, slots=True)
class QuickReply:
    """A button, and what a click on it means."""

    title: str
    meaning: Meaning
    target_id: str | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """A text, buttons and at most five cards; `code` names the text in the message catalogue."""

    code: str
    text: str
    quick_replies: tuple[QuickReply, ...] = ()
    cards: tuple[Card, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The reply as the API answers it."""
        return {
            "text": self.text,
            "quick_replies": [asdict(button) for button in self.quick_replies],
            "cards": [asdict(card) for card in self.cards],
        }
