"""Plain numbers, in digits anywhere and in words when the word is the whole answer."""

import re

from flows.extraction.port import Context, FactSpec, Reading
from flows.extraction.readers.decimals import NUMERAL, WORD, parse_decimal

_NUMBER = re.compile(rf"({NUMERAL})(?![\w@]|[.,:/-]\d)")
_APPROXIMATELY = r"(?:about|around|roughly|approximately|ongeveer|circa|ca\.?|zo'n|environ|à peu près)"
_WHOLE_ANSWER = re.compile(rf"\W*?(?:{_APPROXIMATELY}\s+)?({NUMERAL}|{WORD})\W*", re.IGNORECASE)


def read(text: str, spec: FactSpec, context: Context) -> list[Reading]:
    """Every number that stands alone, as a decimal string."""
    whole = match_whole_answer(text)
    matches = [whole] if whole else _NUMBER.finditer(text)
    return [_reading(match) for match in matches]


def match_whole_answer(text: str) -> re.Match[str] | None:
    """Group 1 is the number, when the message says nothing else ("about 80", "drie")."""
    return _WHOLE_ANSWER.fullmatch(text)


def _reading(match: re.Match[str]) -> Reading:
    value, confidence = parse_decimal(match[1])
    return Reading(value, match.start(1), match.end(1), confidence)
