"""The extractor that needs nobody: typed readers over the words, deterministic for a given `now`."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from flows.engine.definition import FactType
from flows.extraction import cues
from flows.extraction.matching import Matched, match_readings
from flows.extraction.port import (
    MAX_TEXT,
    Context,
    ExtractedFact,
    ExtractionResult,
    FactSpec,
    Locale,
    Reading,
    ReadingRefused,
    Rejection,
    Span,
)
from flows.extraction.readers import READERS
from flows.extraction.readers.text import TAKEN


class TypedExtractor:
    """See docs/extraction.md for the rules by which words are given to facts."""

    def extract(
        self,
        *,
        text: str,
        wanted: Sequence[FactSpec],
        now: datetime,
        locale: Locale = Locale(),  # noqa: B008 frozen
    ) -> ExtractionResult:
        text = text[:MAX_TEXT].replace(TAKEN, " ")
        context = Context(now=now, locale=locale)
        facts: dict[str, ExtractedFact] = {}
        rejected: list[Rejection] = []
        left = text
        for specs in _by_claim(wanted):
            matched, refused = _match(left, specs, wanted, context)
            rejected += refused
            for name, reading in matched.items():
                facts[name] = _fact(text, reading, specs[0].type)
                left = _take(left, reading)
        return ExtractionResult(facts=facts, rejected=tuple(rejected))


def _by_claim(wanted: Sequence[FactSpec]) -> list[list[FactSpec]]:
    """Facts of one kind together, kinds in the order of their claim on words."""
    kinds: dict[object, list[FactSpec]] = {}
    for spec in {spec.name: spec for spec in wanted}.values():
        kinds.setdefault(spec.kind, []).append(spec)
    claim = list(READERS)
    return sorted(kinds.values(), key=lambda specs: claim.index(specs[0].type))


def _match(
    left: str, specs: list[FactSpec], wanted: Sequence[FactSpec], context: Context
) -> tuple[Matched, list[Rejection]]:
    if specs[0].type is FactType.TEXT:
        return _match_text(left, specs, wanted, context), []
    try:
        readings = READERS[specs[0].type](left, specs[0], context)
    except ReadingRefused as refusal:
        return {}, [Rejection(spec.name, refusal.code) for spec in specs]
    return match_readings(text=left, readings=readings, specs=specs, wanted=wanted)


def _match_text(left: str, specs: list[FactSpec], wanted: Sequence[FactSpec], context: Context) -> Matched:
    """Labelled mentions; the whole remainder only when a single free-text fact is wanted."""
    matched: Matched = {}
    mentions = {spec.name: cues.mention_pattern(cues.labels(spec, wanted)).search(left) for spec in specs}
    starts = [mention.start() for mention in mentions.values() if mention]
    for name, mention in mentions.items():
        if mention is None:
            continue
        start, clause_end = mention.span("value")
        end = min([clause_end, *(other for other in starts if other > start)])
        said = cues.TRAILING_AND.sub("", left[start:end])
        for reading in READERS[FactType.TEXT](said, specs[0], context):
            matched[name] = replace(reading, start=start + reading.start, end=start + reading.end, confidence=0.85)
    if not matched and len(specs) == 1:
        matched.update((specs[0].name, reading) for reading in READERS[FactType.TEXT](left, specs[0], context))
    return matched


def _take(text: str, reading: Reading) -> str:
    return text[: reading.start] + TAKEN * (reading.end - reading.start) + text[reading.end :]


def _fact(text: str, reading: Reading, kind: FactType) -> ExtractedFact:
    span = Span(reading.start, reading.end, text[reading.start : reading.end])
    return ExtractedFact(reading.value, reading.confidence, span, f"typed.{kind}")
