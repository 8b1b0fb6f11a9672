"""The shape of an understood message, and the port a recogniser fills."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

CONFIDENCE_THRESHOLD = 0.5
"""Below it an intent is only a guess, and the dialogue asks instead of acting (seed 002, 3.2)."""


class Intent(StrEnum):
    """The intents the dialogue acts on; any other label is kept and asked about."""

    PRODUCT_SEARCH = "product_search"
    SHOW_MORE = "show_more"
    SELECT = "select"
    CONFIRM = "confirm"
    CANCEL = "cancel"
    HUMAN = "human"
    GREETING = "greeting"
    THANKS = "thanks"


class Meaning(StrEnum):
    """What a quick reply stands for."""

    SHOW_MORE = "show_more"
    SELECT = "select"
    CONFIRM = "confirm"
    CANCEL = "cancel"
    HUMAN = "human"


class Source(StrEnum):
    """Who says so: a click is explicit, a caller is trusted, a recogniser guesses."""

    CLICK = "click"
    CALLER = "caller"
    RECOGNISER = "recogniser"


@dataclass(frozen=True, slots=True)
class Recognised:
    """An intent label with the words and the item it is about; None stands for "not understood"."""

    intent: str | None
    confidence: float
    query: str | None = None
    target_id: str | None = None
    source: Source = Source.RECOGNISER

    @property
    def is_clear(self) -> bool:
        """Whether it is sure enough to be acted on."""
        return self.intent is not None and self.confidence >= CONFIDENCE_THRESHOLD

    @property
    def clear_intent(self) -> str | None:
        """The intent to act on, if there is one."""
        return self.intent if self.is_clear else None

    def clearly(self, intent: Intent) -> bool:
        """Whether this is surely that intent."""
        return self.clear_intent == intent


class Recogniser(Protocol):
    """Turns a text into an intent; the rules here and a language model fill it alike."""

    def recognise(self, text: str) -> Recognised:
        """The most likely intent of a message."""
        ...
