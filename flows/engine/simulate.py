"""Talk to a flow by script: nothing is stored, nobody is sent anything."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from .answers import Answer
from .bounds import CONSECUTIVE_CAP
from .compiled import CompiledFlow
from .outcome import Reply
from .runner import Wanted, advance, wanted_facts
from .runtime import RuntimeState

Extract = Callable[[str, tuple[Wanted, ...]], Reply]
"""Reads the wanted facts out of a text."""


@dataclass(frozen=True, slots=True)
class Line:
    """One inbound message of a script; `facts`, even empty, replace extraction."""

    text: str = ""
    facts: Mapping[str, Any] | None = None

    def to_json(self) -> dict[str, Any]:
        return {"text": self.text, "facts": None if self.facts is None else dict(self.facts)}


@dataclass(frozen=True, slots=True)
class Simulation:
    """One answer a line; the first line opens the flow."""

    trace: tuple[Answer, ...]
    state: RuntimeState

    def to_json(self) -> dict[str, Any]:
        return {"trace": [answer.to_json() for answer in self.trace], "status": self.state.status.value}


def simulate(
    flow: CompiledFlow,
    script: Iterable[Line],
    extract: Extract | None = None,
    *,
    consecutive_cap: int = CONSECUTIVE_CAP,
) -> Simulation:
    """Play a script from the beginning. Without an extractor only the script's own facts count."""
    state = RuntimeState()
    trace = []
    for line in script:
        if line.facts is not None:
            reply = Reply(line.text, line.facts)
        elif extract is not None:
            reply = extract(line.text, wanted_facts(flow, state))
        else:
            reply = Reply(line.text)
        state, answer, _ = advance(flow, state, reply, consecutive_cap=consecutive_cap)
        trace.append(answer)
    return Simulation(tuple(trace), state)
