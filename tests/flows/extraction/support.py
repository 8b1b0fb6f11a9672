"""Short hands for the extraction tests: one fixed moment, one call."""

from datetime import UTC, datetime

from flows.engine.definition import FactType
from flows.extraction.port import ExtractionResult, FactSpec, Locale
from flows.extraction.typed import TypedExtractor

NOW = datetime(2026, 1, 15, 10, 0, tzinfo=UTC)  # a Thursday


def spec(name: str, kind: str = "text", **details: object) -> FactSpec:
    return FactSpec(name=name, type=FactType(kind), **details)  # type: ignore[arg-type]


def extract(text: str, *wanted: FactSpec, now: datetime = NOW, locale: Locale | None = None) -> ExtractionResult:
    return TypedExtractor().extract(text=text, wanted=wanted, now=now, locale=locale or Locale())


def values(text: str, *wanted: FactSpec, **context: object) -> dict[str, object]:
    return {name: fact.value for name, fact in extract(text, *wanted, **context).facts.items()}  # type: ignore[arg-type]


def codes(text: str, *wanted: FactSpec) -> dict[str, str]:
    return {rejection.name: rejection.code for rejection in extract(text, *wanted).rejected}
