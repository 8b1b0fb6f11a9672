"""A pattern the flow's editor wrote: run with a time limit, because nobody can prove it is harmless."""

from functools import lru_cache

import regex

from flows.engine.patterns import MAX_PATTERN
from flows.extraction.port import Context, FactSpec, Reading, ReadingRefused

TIME_LIMIT = 0.05


@lru_cache(maxsize=512)
def _compiled(pattern: str) -> regex.Pattern[str]:
    return regex.compile(pattern)


def read(text: str, spec: FactSpec, context: Context) -> list[Reading]:
    """The first match: group `value`, else group 1, else the whole match."""
    if len(spec.pattern) > MAX_PATTERN:
        raise ReadingRefused("pattern_too_long")
    try:
        match = _compiled(spec.pattern).search(text, timeout=TIME_LIMIT)
    except regex.error as error:
        raise ReadingRefused("pattern_invalid") from error
    except TimeoutError as error:
        raise ReadingRefused("pattern_timeout") from error
    if match is None:
        return []
    group: str | int = "value" if "value" in match.re.groupindex else min(1, match.re.groups)
    start, end = match.span(group)
    return [Reading(text[start:end], start, end, 0.9)] if start < end else []
