"""One of the editor's choices: named outright, or misspelt closely enough (rapidfuzz); a tie is no answer."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from rapidfuzz import fuzz

from flows.extraction.port import Context, FactSpec, Reading, ReadingRefused

THRESHOLD = 85
MARGIN = 5
SHORTEST_FUZZY = 4
MAX_WORDS = 300
LOOK_BACK = 20
_TOKEN = re.compile(r"\w+(?:['’]\w+)*")
_NEGATION = re.compile(
    r"\b(?:not|no|never|without|niet|geen|nooit|zonder|pas|sans)\s+(?:(?:the|a|an|de|het|een|le|la|un|une)\s+)?$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Mention:
    choice: str
    start: int
    end: int
    score: float


def read(text: str, spec: FactSpec, context: Context) -> list[Reading]:
    """The choices the text names; when it only resembles some, the single closest."""
    tokens = list(_TOKEN.finditer(text))[:MAX_WORDS]
    mentions = [
        mention
        for width, choices in _by_width(spec.choices).items()
        for mention in _mentions(text, tokens, width, choices)
        if not _NEGATION.search(text[max(0, mention.start - LOOK_BACK) : mention.start])
    ]
    exact = _longest([mention for mention in mentions if mention.score == 100])
    if exact:
        return [Reading(mention.choice, mention.start, mention.end, 0.95) for mention in exact]
    close = sorted(mentions, key=lambda mention: -mention.score)
    if not close:
        return []
    best = close[0]
    if any(rival.choice != best.choice and best.score - rival.score < MARGIN for rival in close):
        raise ReadingRefused("choice_tied")
    return [Reading(best.choice, best.start, best.end, round(best.score / 100 * 0.9, 2))]


def _by_width(choices: tuple[str, ...]) -> dict[int, list[tuple[str, str]]]:
    """(choice, its normal form) by number of words."""
    widths: dict[int, list[tuple[str, str]]] = {}
    for choice in choices:
        if normal := _normal(choice):
            widths.setdefault(len(normal.split()), []).append((choice, normal))
    return widths


def _mentions(text: str, tokens: list[re.Match[str]], width: int, choices: list[tuple[str, str]]) -> Iterator[_Mention]:
    """Every window of that many words, scored against the choices of as many."""
    for first in range(len(tokens) - width + 1):
        start, end = tokens[first].start(), tokens[first + width - 1].end()
        window = _normal(text[start:end])
        for choice, normal in choices:
            score = fuzz.ratio(window, normal, score_cutoff=THRESHOLD)
            if score == 100 or (score and len(normal) >= SHORTEST_FUZZY):
                yield _Mention(choice, start, end, score)


def _normal(words: str) -> str:
    return " ".join(_TOKEN.findall(unicodedata.normalize("NFKC", words).casefold()))


def _longest(mentions: list[_Mention]) -> list[_Mention]:
    """In order of the text, without those inside a longer one ("premium" within "premium plus")."""
    return sorted(
        (
            mention
            for mention in mentions
            if not any(
                other.start <= mention.start
                and mention.end <= other.end
                and other.end - other.start > mention.end - mention.start
                for other in mentions
            )
        ),
        key=lambda mention: mention.start,
    )
