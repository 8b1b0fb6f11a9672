"""E-mail addresses: found by shape, judged by email-validator (syntax only, no DNS)."""

import re

from email_validator import EmailNotValidError, validate_email

from flows.extraction.port import Context, FactSpec, Reading

_CANDIDATE = re.compile(r"[^\s<>()\[\]\",;:]{1,64}@[^\s<>()\[\]\",;:@]{1,255}")
_EDGES = ".!?'`*_"


def read(text: str, spec: FactSpec, context: Context) -> list[Reading]:
    """Every valid address, its domain in lower case."""
    readings = []
    for match in _CANDIDATE.finditer(text):
        words = match.group().rstrip(_EDGES)
        start = match.start() + len(words) - len(words.lstrip("'`*_"))
        words = text[start : match.start() + len(words)]
        try:
            address = validate_email(words, check_deliverability=False).normalized
        except EmailNotValidError:
            continue
        readings.append(Reading(address, start, start + len(words), 0.99))
    return readings
