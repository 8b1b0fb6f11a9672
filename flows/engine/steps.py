"""What happens to a conversation, as values: a decision, the outcome of a reply, an operator's act.

Each goes to JSON and back; `apply` moves a board by one, so recorded steps rebuild the state they made.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from .runtime import FactValue, Mode, Status


class Reason(StrEnum):
    FIRST_ATTEMPT = "FIRST_ATTEMPT"
    OBJECTIVE_MET = "OBJECTIVE_MET"
    OBJECTIVE_UNMET = "OBJECTIVE_UNMET"
    GRANTED = "GRANTED"
    EXHAUSTED = "EXHAUSTED"
    CLARIFY = "CLARIFY"
    LOOP_GUARD = "LOOP_GUARD"
    COOLDOWN_WAIVED = "COOLDOWN_WAIVED"
    AFTER_SKIP = "AFTER_SKIP"
    POST_GOAL = "POST_GOAL"


class Decision(NamedTuple):
    """Which node speaks next and how; without a node it is a status found (COMPLETE, DEADLOCK), no turn."""

    turn_index: int
    status: Status
    node_id: str | None = None
    mode: Mode | None = None
    codes: tuple[Reason, ...] = ()
    skipped: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "step": "decision",
            "turnIndex": self.turn_index,
            "status": self.status.value,
            "nodeId": self.node_id,
            "mode": self.mode.value if self.mode else None,
            "reasonCodes": [code.value for code in self.codes],
            "skipped": list(self.skipped),
        }


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a reply brought: canonical facts in scope, names that were ignored, states its node set."""

    turn_index: int
    node_id: str | None
    text: str
    facts: Mapping[str, FactValue] = field(default_factory=dict)
    ignored: tuple[str, ...] = ()
    states: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "step": "outcome",
            "turnIndex": self.turn_index,
            "nodeId": self.node_id,
            "text": self.text,
            "facts": {name: value.to_json() for name, value in self.facts.items()},
            "factsIgnored": list(self.ignored),
            "statesProduced": list(self.states),
        }


@dataclass(frozen=True, slots=True)
class OperatorAct:
    """An operator's hand: facts set and removed, nodes skipped for good, attempts granted (F9)."""

    set_facts: Mapping[str, Any] = field(default_factory=dict)
    remove_facts: tuple[str, ...] = ()
    skip: tuple[str, ...] = ()
    grant: Mapping[str, int] = field(default_factory=dict)
    resumes: bool = False

    def to_json(self) -> dict[str, Any]:
        return {
            "step": "operator",
            "setFacts": dict(self.set_facts),
            "removeFacts": list(self.remove_facts),
            "skip": list(self.skip),
            "grant": dict(self.grant),
            "resumes": self.resumes,
        }


Step = Decision | Outcome | OperatorAct


def step_from_json(data: Mapping[str, Any]) -> Step:
    """The inverse of every step's `to_json`."""
    if data["step"] == "decision":
        return Decision(
            data["turnIndex"],
            Status(data["status"]),
            data["nodeId"],
            Mode(data["mode"]) if data["mode"] else None,
            tuple(Reason(code) for code in data["reasonCodes"]),
            tuple(data["skipped"]),
        )
    if data["step"] == "outcome":
        return Outcome(
            data["turnIndex"],
            data["nodeId"],
            data["text"],
            {name: FactValue.from_json(item) for name, item in data["facts"].items()},
            tuple(data["factsIgnored"]),
            tuple(data["statesProduced"]),
        )
    return OperatorAct(
        dict(data["setFacts"]),
        tuple(data["removeFacts"]),
        tuple(data["skip"]),
        dict(data["grant"]),
        data["resumes"],
    )


def without_words(data: Mapping[str, Any]) -> dict[str, Any]:
    """A recorded step that names nobody: which facts there were and what was decided, no value and no word."""
    if data["step"] == "outcome":
        silent = {"value": None, "words": None}
        facts = {name: {**told, **silent} for name, told in data["facts"].items()}
        return {**data, "text": "", "facts": facts, "factsIgnored": []}
    if data["step"] == "operator":
        return {**data, "setFacts": dict.fromkeys(data["setFacts"])}
    return dict(data)
