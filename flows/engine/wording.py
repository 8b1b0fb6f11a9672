"""Sentences with the figures in them still apart, so that a page can say them in its own language."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Sentence:
    """English with `%(figures)s`; a figure that is a sentence itself is said in the same language."""

    template: str
    figures: Mapping[str, "str | int | Sentence"]

    def said(self, translate: Callable[[str], str] = str) -> str:
        words = translate(self.template)
        if not self.figures:
            return words
        said = (each.said(translate) if isinstance(each, Sentence) else each for each in self.figures.values())
        return words % dict(zip(self.figures, said, strict=True))

    def __str__(self) -> str:
        return self.said()


def sentence(template: str, **figures: str | int | Sentence) -> Sentence:
    """`make messages` finds the texts of the engine, which knows no gettext, by this function's name."""
    return Sentence(template, figures)
