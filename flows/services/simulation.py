"""Talking to a definition by script; writes nothing."""

from collections.abc import Iterable
from typing import Any

from django.utils import timezone

from flows.engine.runner import Wanted
from flows.engine.simulate import Line, Simulation, simulate
from flows.extraction.budget import BudgetedExtractor
from flows.extraction.port import Extractor
from flows.selectors.limits import consecutive_cap
from flows.services.extraction import extractor, read_reply
from flows.services.loading import loaded

READING_SECONDS = 20.0
"""For the words of a whole script: a model that hangs may not hold who asked, and a worker, line after line."""


def simulated(definition: dict[str, Any], script: Iterable[Line], *, by: Extractor | None = None) -> Simulation:
    """Plays a script against any definition that loads, whatever else is wrong with it, under the policy in force."""
    now = timezone.now()
    flow = loaded(definition)
    reader = by or BudgetedExtractor(extractor(), READING_SECONDS)

    def extract(text: str, wanted: tuple[Wanted, ...]) -> Any:
        return read_reply(text, wanted, now=now, by=reader)

    return simulate(flow, script, extract, consecutive_cap=consecutive_cap())


def lines_of(script: Iterable[dict[str, Any]]) -> list[Line]:
    """A stored or sent script as the engine takes it."""
    return [Line(item.get("text") or "", item.get("facts")) for item in script]
