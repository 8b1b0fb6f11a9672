"""One message that repeats a sentence until it is most of the message."""

from __future__ import annotations

from collections import Counter

from guards.loops.findings import Finding, LoopAction, LoopType, Rule, finding, graded
from guards.loops.thresholds import Thresholds

READ = 4_000  # characters of a message
SENTENCE = 12  # characters: shorter ones are list marks and interjections


def chanting(index: int, text: str, numbers: Thresholds) -> Finding | None:
    """The commonest sentence makes up at least half of the message."""
    if len(text) < numbers.chant_repeats * SENTENCE:
        return None
    parts = text[:READ].replace("\n", ".").split(".")
    if len(parts) - len(set(parts)) < numbers.chant_repeats - 2:  # the first and the last may differ by a space
        return None
    sentences = [part.strip() for part in parts if len(part) >= SENTENCE]
    if len(sentences) < numbers.chant_repeats:
        return None
    [(sentence, count)] = Counter(sentences).most_common(1)
    if count < numbers.chant_repeats or count * 2 < len(sentences):
        return None
    return finding(
        Rule.CHANTING,
        (LoopType.INFINITE, LoopAction.STOP),
        graded(count, numbers.chant_repeats),
        (index,),
        f"one message repeats “{sentence[:60]}” {count} times",
    )
