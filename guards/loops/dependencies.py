"""Which steps used what which other steps found."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from guards.loops.content import as_text
from guards.loops.text import words
from guards.loops.workflow import WorkflowStep

TELLING = 4  # characters: shorter values turn up in any text


@dataclass(frozen=True, slots=True)
class Dependency:
    """A step and the earlier steps whose answers its arguments quote."""

    step: int
    depends_on: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class DependencyAnalysis:
    """The dependencies of a run, its independent steps and its longest chain."""

    dependencies: tuple[Dependency, ...]
    independent: tuple[int, ...]
    longest_chain: int


def analyze_dependencies(steps: Iterable[WorkflowStep], first: int = 0) -> DependencyAnalysis:
    """A value that first appeared in an answer and is later an argument ties the two steps together.

    `first` is the number of the first of these steps in their run.
    """
    first_seen: dict[str, int] = {}
    found: list[Dependency] = []
    depth: list[int] = []
    for number, step in enumerate(steps):
        values = {word for word in words(as_text(step.parameters)) if len(word) >= TELLING}
        sources = tuple(sorted({first_seen[value] for value in values if first_seen.get(value, -1) >= 0}))
        found.append(Dependency(first + number, tuple(first + source for source in sources)))
        depth.append(1 + max((depth[source] for source in sources), default=0))
        for value in values:
            first_seen.setdefault(value, -1)  # an argument nobody answered before is the caller's own
        for word in words(as_text(step.response)):
            if len(word) >= TELLING:
                first_seen.setdefault(word, number)
    return DependencyAnalysis(
        dependencies=tuple(d for d in found if d.depends_on),
        independent=tuple(d.step for d in found if not d.depends_on),
        longest_chain=max(depth, default=0),
    )
