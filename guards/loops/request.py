"""What a request asks for, as elements one can look for in an answer."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

READ = 20_000  # characters of a request or an answer looked at
ELEMENTS = 40

_WORD = re.compile(r"[^\W_]+(?:[.@:/-][^\W_]+)*")
_STOPWORDS = frozenset(
    _WORD.findall(
        """
        a about all also am an and any are as at be been but by can could did do does for from get give
        had has have hello help hi how i if in into is it its just know let like list look make many me
        more much my need of on or our out please provide read see send should show so some tell that the
        their them then there these they this those to up us use want was we were what when where which
        who whose why will with would you your
        """
    )
)
# A question word is answered by a kind of thing, not by its repetition.
_ANSWER_KINDS = {
    "when": re.compile(
        r"\b\d{1,2}[:.]\d\d|\b\d{1,4}[-/]\d{1,2}[-/]\d{1,4}|\b(?:today|tomorrow|yesterday|(?:mon|tues|wednes|thurs|fri|"
        r"satur|sun)day|january|february|march|april|may|june|july|august|september|october|november|december)\b"
        r"|\b\d{4}\b|\b\d{1,2} ?[ap]m\b",
        re.IGNORECASE,
    ),
    "how many": re.compile(r"\d|\b(?:no|none|one|two|three|four|five|six|seven|eight|nine|ten)\b", re.IGNORECASE),
    "how much": re.compile(r"\d"),
    "who": re.compile(r"(?<=[a-z,:] )[A-Z][a-z]+|^[A-Z][a-z]+ [A-Z][a-z]+|@\w+"),
    "where": re.compile(r"\b(?:in|at|near|on|under|behind|next to)\b|\d+ [A-Z]\w+|https?://", re.IGNORECASE),
}


@dataclass(frozen=True, slots=True)
class RequestElements:
    """Subjects, by stem, and question words."""

    subjects: tuple[str, ...]
    questions: tuple[str, ...]

    @property
    def all(self) -> tuple[str, ...]:
        """Every element, in the order of the request."""
        return self.subjects + self.questions

    def covered_by(self, answer: str) -> frozenset[str]:
        """The elements this answer deals with."""
        text = answer[:READ]
        mentioned = stems(text)
        answered = [question for question in self.questions if _ANSWER_KINDS[question].search(text)]
        return frozenset([*(s for s in self.subjects if s in mentioned), *answered])


@lru_cache(maxsize=256)
def elements_of(request: str) -> RequestElements:
    """The elements of a request; none for an empty one."""
    text = request[:READ]
    words = (word.lower() for word in _WORD.findall(text))
    subjects = dict.fromkeys(_stem(word) for word in words if word not in _STOPWORDS and len(word) > 1)
    folded = f" {text.lower()} "
    questions = tuple(kind for kind in _ANSWER_KINDS if f" {kind} " in folded)
    return RequestElements(tuple(subjects)[:ELEMENTS], questions)


def stems(text: str) -> frozenset[str]:
    """The stems of the words of a text."""
    return frozenset(_stem(word.lower()) for word in _WORD.findall(text[:READ]))


def _stem(word: str) -> str:
    for ending in ("ings", "ing", "ies", "ed", "es", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)]
    return word
