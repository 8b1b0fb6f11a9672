"""A recogniser by rule: whole phrases first, then openings, then the catalogue's own words."""

from collections.abc import Iterable

from rapidfuzz import fuzz, process

from conversations.domain.intents.text import normalise, strip_edges, without_accents
from conversations.domain.intents.types import Intent, Recognised
from conversations.domain.intents.words import (
    CANCELLING,
    CONFIRMING,
    GREETINGS,
    PERSON_WORDS,
    PHRASES,
    POLITE_WORDS,
    SEARCH_OPENINGS,
    SELECT_OPENINGS,
    SOMEBODY_WORDS,
    SPEAKING_WORDS,
    STOP_WORDS,
    VAGUE_WORDS,
    WANTING_WORDS,
)

EXACT, SPOKEN, KNOWN_WORD, BARE, UNSURE = 0.95, 0.9, 0.8, 0.6, 0.2
SAME_PHRASE, SAME_WORD = 85, 85
SHORTEST_TYPO = 5
LONGEST_BARE_SEARCH = 6

UNCLEAR = Recognised(None, UNSURE)


class RuleRecogniser:
    """Fills the recogniser port without a model.

    `vocabulary` are the words of the catalogue's names and tags. With them a bare text is a search only if it
    holds one of them, typos included; without them any few words that could name a product are.
    """

    def __init__(self, vocabulary: Iterable[str] = ()) -> None:
        words = {word for text in vocabulary for word in _bare(text).split()}
        self._vocabulary = sorted(words - STOP_WORDS - VAGUE_WORDS)

    def recognise(self, text: str) -> Recognised:
        """The most likely intent of a message."""
        said = _bare(text)
        return (
            _whole_phrase(said)
            or _asks_for_a_person(said)
            or _choice(said, text)
            or self._search(_without_greeting(said))
            or UNCLEAR
        )

    def _search(self, said: str) -> Recognised | None:
        wish = _after(SEARCH_OPENINGS, said)
        if wish is not None:
            return Recognised(Intent.PRODUCT_SEARCH, SPOKEN, query=_query(wish))
        query = _query(said)
        if query is None:
            return None
        if self._vocabulary:
            known = any(self._knows(word) for word in query.split())
            return Recognised(Intent.PRODUCT_SEARCH, KNOWN_WORD, query=query) if known else None
        is_short = len(query.split()) <= LONGEST_BARE_SEARCH
        return Recognised(Intent.PRODUCT_SEARCH, BARE, query=query) if is_short else None

    def _knows(self, word: str) -> bool:
        return process.extractOne(word, self._vocabulary, scorer=fuzz.ratio, score_cutoff=SAME_WORD) is not None


def _bare(text: str) -> str:
    return without_accents(normalise(text)).replace("’", "'")


def _whole_phrase(said: str) -> Recognised | None:
    if said in CONFIRMING:
        return Recognised(Intent.CONFIRM, EXACT)
    if said in CANCELLING:
        return Recognised(Intent.CANCEL, EXACT)
    said = " ".join(word for word in map(strip_edges, said.split()) if word not in POLITE_WORDS) or said
    for intent, phrases in PHRASES.items():
        if said in phrases:
            return Recognised(intent, EXACT)
    if len(said) < SHORTEST_TYPO:
        return None
    for intent, phrases in PHRASES.items():
        found = process.extractOne(said, sorted(phrases), scorer=fuzz.ratio, score_cutoff=SAME_PHRASE)
        if found and len(found[0]) >= SHORTEST_TYPO:
            return Recognised(intent, SPOKEN * found[1] / 100)
    return None


def _asks_for_a_person(said: str) -> Recognised | None:
    words = set(said.split())
    speaks = words & SPEAKING_WORDS and words & (PERSON_WORDS | SOMEBODY_WORDS)
    wants = words & WANTING_WORDS and words & PERSON_WORDS
    return Recognised(Intent.HUMAN, SPOKEN) if speaks or wants else None


def _choice(said: str, text: str) -> Recognised | None:
    chosen = _after(SELECT_OPENINGS, said)
    if chosen is None:
        return None
    names_an_id = any(character.isdigit() for character in chosen) and " " not in chosen
    # taken from the text as typed, for ids know case
    as_typed = (strip_edges(word) for word in text.split() if _bare(word) == chosen)
    return Recognised(Intent.SELECT, SPOKEN, target_id=next(as_typed, None) if names_an_id else None)


def _without_greeting(said: str) -> str:
    for greeting in sorted(GREETINGS, key=len, reverse=True):
        if said.startswith(greeting) and not said[len(greeting) : len(greeting) + 1].isalnum():
            return normalise(said[len(greeting) :])
    return said


def _after(openings: Iterable[str], said: str) -> str | None:
    """What follows the longest opening the message starts with; None if it starts with none."""
    for opening in sorted(openings, key=len, reverse=True):
        if said == opening or said.startswith(f"{opening} "):
            return said[len(opening) :].strip()
    return None


def _query(wish: str) -> str | None:
    words = [normalise(word) for word in wish.split()]
    kept = [word for word in words if word not in STOP_WORDS]
    if all(word in VAGUE_WORDS or not any(map(str.isalnum, word)) for word in kept):
        return None
    return " ".join(word for word in kept if word)
