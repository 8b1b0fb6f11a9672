"""One truth from what several people said."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Opinion:
    """A reviewer's label of a finding, or of the conversation as a whole."""

    reviewer: str
    is_loop: bool
    at: datetime


def verdicts(opinions: Sequence[Opinion]) -> dict[str, bool]:
    """What each reviewer says of the conversation: a loop, if any of their labels in it says so."""
    said: dict[str, bool] = {}
    for opinion in opinions:
        said[opinion.reviewer] = said.get(opinion.reviewer, False) or opinion.is_loop
    return said


def consensus(opinions: Sequence[Opinion]) -> bool:
    """The majority of reviewers; where they are split, whoever spoke last."""
    said = verdicts(opinions)
    loops = sum(said.values())
    if 2 * loops != len(said):
        return 2 * loops > len(said)
    return said[max(opinions, key=lambda opinion: opinion.at).reviewer]
