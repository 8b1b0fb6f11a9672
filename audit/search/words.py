"""The words of a payload: what its values say, never the names of its fields."""

import json
from collections.abc import Iterator
from typing import Any

from conversations.domain.intents.text import words_of

MAX_WORDS = 2000
MAX_WORD = 60
MAX_TERMS = 8
PREFIX = "*"


def indexed_words(payload_text: str) -> list[str]:
    """Each word once, as both databases index and ask for them."""
    found: dict[str, None] = {}
    for text in texts_in(json.loads(payload_text)):
        for word in words_of(text):
            found[word[:MAX_WORD]] = None
            if len(found) >= MAX_WORDS:
                return list(found)
    return list(found)


def texts_in(value: Any) -> Iterator[str]:
    """Every value in it, as text."""
    if isinstance(value, dict):
        for item in value.values():
            yield from texts_in(item)
    elif isinstance(value, list):
        for item in value:
            yield from texts_in(item)
    elif isinstance(value, str):
        yield value
    elif isinstance(value, int) and not isinstance(value, bool):
        yield str(value)


def terms_of(asked: str) -> list[str]:
    """The words somebody looks for, each at most once; one written with a star stands for its beginning."""
    terms: dict[str, None] = {}
    for piece in asked.split():
        words = [word[:MAX_WORD] for word in words_of(piece)]
        if words and piece.endswith(PREFIX):
            words[-1] += PREFIX
        terms |= dict.fromkeys(words)
    return list(terms)[:MAX_TERMS]
