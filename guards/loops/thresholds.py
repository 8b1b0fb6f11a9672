"""The numbers of the rules, chosen by cross-validation (docs/decisions/)."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Thresholds:
    """Counts are of occurrences, the present one included."""

    equal_calls: int = 3
    equal_errors: int = 3
    error_likeness: float = 0.75
    reworded_likeness: float = 0.4
    reworded_calls: int = 3
    reworded_words: int = 4
    same_news_likeness: float = 0.2
    code_likeness: float = 0.9
    template_likeness: float = 0.6
    message_likeness: float = 0.22
    messages: int = 3  # to the letter; in other words correspondingly more often
    message_least_words: int = 4  # "yes" is an answer, however often it is given
    message_words: int = 20
    echo_likeness: float = 0.8
    chant_repeats: int = 5


DEFAULT = Thresholds()
