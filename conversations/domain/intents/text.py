"""One way to compare what people type."""

import re
import unicodedata

WORD = re.compile(r"[^\W_]+")


def normalise(text: str) -> str:
    """NFKC, caseless, single spaces, without punctuation, symbols or space at the edges."""
    return strip_edges(" ".join(unicodedata.normalize("NFKC", text).casefold().split()))


def words_of(text: str) -> list[str]:
    """The words of a text as a search compares them: caseless, with bare letters, in order."""
    return WORD.findall(without_accents(normalise(text)))


def strip_edges(text: str) -> str:
    """The text without punctuation, symbols or space around it."""
    start, end = 0, len(text)
    while start < end and _is_edge(text[start]):
        start += 1
    while end > start and _is_edge(text[end - 1]):
        end -= 1
    return text[start:end]


def without_accents(text: str) -> str:
    """The same text with bare letters, for people who type "a bientot"."""
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))


def _is_edge(character: str) -> bool:
    # joiners and variation selectors surround emoji and must go with them
    return character.isspace() or unicodedata.category(character)[0] in "PSZ" or character in "\u200d\ufe0e\ufe0f"
