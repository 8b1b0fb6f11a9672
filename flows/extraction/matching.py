"""Which reading answers which fact, when a message holds several: by name, by role, then by order."""

from collections.abc import Sequence
from dataclasses import replace

from flows.engine.definition import FactType
from flows.extraction import cues
from flows.extraction.port import FactSpec, Reading, Rejection

_AFTERTHOUGHT = 30
"""Characters after a value in which its name may still follow ("300 lbs is my target")."""

# Any of several addresses reaches the visitor, so the first is a fair answer; of several dates it is a guess.
_FIRST_WILL_DO = frozenset({FactType.EMAIL, FactType.PHONE})

Matched = dict[str, Reading]


def match_readings(
    *, text: str, readings: Sequence[Reading], specs: Sequence[FactSpec], wanted: Sequence[FactSpec]
) -> tuple[Matched, list[Rejection]]:
    """Give the readings to `specs`, facts of one kind; `wanted` is everything asked for, for its labels."""
    matched: Matched = {}
    loose: list[Reading] = []
    free_from = 0
    for position, reading in enumerate(readings):
        following = readings[position + 1].start if position + 1 < len(readings) else len(text)
        before = text[free_from : reading.start]
        after = _first_clause(text[reading.end : min(following, reading.end + _AFTERTHOUGHT)])
        free_from = reading.end
        claim = _nearest_cue(before, specs, wanted)
        if claim is None and (claim := _nearest_cue(after, specs, wanted, first=True)):
            free_from += len(after)
        if isinstance(claim, FactSpec):
            matched.setdefault(claim.name, reading)
        elif claim is None:
            loose.append(reading)
    open_specs = [spec for spec in specs if spec.name not in matched]
    return _by_order(matched, _distinct(loose), open_specs)


def _nearest_cue(
    stretch: str, specs: Sequence[FactSpec], wanted: Sequence[FactSpec], *, first: bool = False
) -> FactSpec | str | None:
    """The fact the last (or `first`) cue points at; a role's name when that role is not wanted here."""
    hits: list[tuple[int, FactSpec | str]] = []
    if any(cues.role(spec) for spec in specs):
        for role in cues.ROLES:
            owner = next((spec for spec in specs if cues.role(spec) == role), None)
            hits += [(hit.end(), owner or role) for hit in cues.role_pattern(role).finditer(stretch)]
    for spec in specs:
        pattern = cues.label_pattern(cues.labels(spec, wanted))
        hits += [(hit.end(), spec) for hit in pattern.finditer(stretch)]
    hits.sort(key=lambda hit: hit[0])  # stable: at one place a fact's own name, added last, beats a role's cue
    if not hits:
        return None
    return hits[0][1] if first else hits[-1][1]


def _first_clause(words: str) -> str:
    for position, character in enumerate(words):
        if character in ",;.!?\n":
            return words[:position]
    return words


def _by_order(matched: Matched, loose: Sequence[Reading], specs: Sequence[FactSpec]) -> tuple[Matched, list[Rejection]]:
    if not loose or not specs:
        return matched, []
    if len(loose) > len(specs) and specs[0].type not in _FIRST_WILL_DO:
        return matched, [Rejection(spec.name, "ambiguous") for spec in specs]
    certainty = 1.0 if len(loose) == len(specs) == 1 else 0.8 if len(loose) == len(specs) else 0.6
    for spec, reading in zip(specs, loose, strict=False):
        matched[spec.name] = replace(reading, confidence=round(reading.confidence * certainty, 2))
    return matched, []


def _distinct(readings: Sequence[Reading]) -> list[Reading]:
    """The first of each value: saying a thing twice does not make it ambiguous."""
    kept: list[Reading] = []
    for reading in readings:
        if all(reading.value != other.value for other in kept):
            kept.append(reading)
    return kept
