"""Free text: what is left of a message without its typed facts, refusals, questions and greetings."""

import re

from flows.extraction.port import Context, FactSpec, Reading
from flows.extraction.refusals import answer_spans

TAKEN = "\x00"
"""Stands for each character a typed fact used up, so that positions stay those of the original text."""

_UNTAKEN = re.compile(rf"[^{TAKEN}]+")
_EDGES = " \t\r\n.,;:!-–—…"
# Words that announce the value after them: with the value gone, their clause says nothing.
_LEAD_IN = re.compile(r"(?:\b(?:is|are|at|on|op|om|est|to|naar|bij|van|from|for|call|me|mail)|'s|:)\s*$", re.IGNORECASE)
# Words that comment on the value before them: "300 lbs is my target".
_COMMENT = re.compile(r"\s*(?:is|are|as|est|zijn)\b[^,;.!?]*", re.IGNORECASE)
_CLAUSE_BREAK = re.compile(r"[,;.!?]|\b(?:and|en|et|but|maar|mais)\b", re.IGNORECASE)
_HOLLOW = frozenset(
    word
    for line in (
        "a an the and or but to at on in for of my me i im you it is am are this that please thanks ok okay",
        "sure yes now currently",
        "de het een en of maar op om in van mijn mij ik je u is ben dit dat graag bedankt ja nu",
        "le la les un une et ou mais de du mon ma je tu vous est ce merci oui",
    )
    for word in line.split()
)
_YES_NO = frozenset({"yes", "no", "yeah", "nope", "ja", "nee", "oui", "non", "ok", "okay"})


def read(text: str, spec: FactSpec, context: Context) -> list[Reading]:
    """The longest stretch of words nobody else used; nothing when they hold no answer."""
    pieces = [piece for start, end in answer_spans(text) for piece in _pieces(text, start, end)]
    merged: list[tuple[int, int]] = []
    for start, end in pieces:
        if merged and not text[merged[-1][1] : start].strip(_EDGES):
            merged[-1] = (merged[-1][0], end)
        else:
            merged.append((start, end))
    if not merged:
        return []
    start, end = max(merged, key=lambda piece: piece[1] - piece[0])
    words = text[start:end]
    return [Reading(words, start, end, 0.4 if words.casefold() in _YES_NO else 0.6)]


def _pieces(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """A sentence's stretches between typed facts, without lead-ins and hollow remains."""
    whole = TAKEN not in text[start:end]
    pieces = []
    for match in _UNTAKEN.finditer(text, start, end):
        first, last = match.span()
        if first > start and (comment := _COMMENT.match(text, first, last)):
            first = comment.end()
        if last < end and _LEAD_IN.search(text[first:last]):
            breaks = [clause.start() for clause in _CLAUSE_BREAK.finditer(text, first, last)]
            last = breaks[-1] if breaks else first
        piece = text[first:last]
        if not whole and all(word in _HOLLOW for word in re.findall(r"\w+", piece.casefold())):
            continue
        first += len(piece) - len(piece.lstrip(_EDGES))
        last -= len(piece) - len(piece.rstrip(_EDGES))
        if first < last:
            pieces.append((first, last))
    return pieces
