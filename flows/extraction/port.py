"""What every extractor takes and gives back: the port between a visitor's words and the flow's facts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol, Self

from flows.engine.definition import FactSpec as DeclaredFact
from flows.engine.definition import FactType

MAX_TEXT = 4_000
"""Characters of a message that are read; longer messages are cut here so that extraction stays bounded."""

Value = str | Mapping[str, str | None]
"""A fact's value: JSON without floats, so that hashing it gives the same bytes everywhere."""


@dataclass(frozen=True, slots=True)
class FactSpec:
    """A fact the flow wants now, under the raw name its node produces."""

    name: str
    type: FactType = FactType.TEXT
    choices: tuple[str, ...] = ()
    pattern: str = ""

    @classmethod
    def of(cls, name: str, declared: DeclaredFact) -> Self:
        """The fact under the name the engine asks for it (`runner.wanted_facts`), as the flow declares it."""
        return cls(name, declared.type, declared.choices, declared.pattern or "")

    @property
    def kind(self) -> tuple[FactType, tuple[str, ...], str]:
        """What decides which words can answer it: facts of one kind compete for the same readings."""
        return (self.type, self.choices, self.pattern)


@dataclass(frozen=True, slots=True)
class Locale:
    """How to read what a visitor leaves out: the country of a phone number, the zone and order of a date."""

    region: str = "NL"
    timezone: str = "Europe/Amsterdam"
    languages: tuple[str, ...] = ("en", "nl", "fr")
    date_order: str = "DMY"


@dataclass(frozen=True, slots=True)
class Context:
    """Everything a reader may know beside the words."""

    now: datetime
    locale: Locale


@dataclass(frozen=True, slots=True)
class Reading:
    """Words that can be read as a value of some type; which fact they answer is decided later."""

    value: Value
    start: int
    end: int
    confidence: float


@dataclass(frozen=True, slots=True)
class Span:
    """Provenance: `text[start:end]` is `words`."""

    start: int
    end: int
    words: str


@dataclass(frozen=True, slots=True)
class ExtractedFact:
    value: Value
    confidence: float
    span: Span
    extractor: str

    def as_json(self) -> dict[str, Any]:
        """The form an event stores: no floats."""
        return {
            "value": self.value,
            "confidence": f"{self.confidence:.2f}",
            "span": {"start": self.span.start, "end": self.span.end, "words": self.span.words},
            "extractor": self.extractor,
        }


@dataclass(frozen=True, slots=True)
class Rejection:
    """A value that was offered and not taken; names and codes only, never a visitor's words."""

    name: str
    code: str


@dataclass(frozen=True, slots=True)
class ExtractionResult:
    facts: Mapping[str, ExtractedFact] = field(default_factory=dict)
    rejected: tuple[Rejection, ...] = ()
    fallback_reason: str | None = None


class ReadingRefused(Exception):
    """A reader saw words for its type and will not choose a value; `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Extractor(Protocol):
    def extract(
        self, *, text: str, wanted: Sequence[FactSpec], now: datetime, locale: Locale = ...
    ) -> ExtractionResult:
        """Read the wanted facts out of `text`. Never raises for anything a visitor can write."""
        ...
