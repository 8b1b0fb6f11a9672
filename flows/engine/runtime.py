"""The runtime state of one conversation, as seed 001 names it: a frozen value that goes to JSON and back."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any


class Mode(StrEnum):
    EXECUTE = "EXECUTE"
    RETRY = "RETRY"
    BROADEN = "BROADEN"
    HANDOFF = "HANDOFF"
    SKIP = "SKIP"


class Status(StrEnum):
    OK = "OK"
    COMPLETE = "COMPLETE"
    DEADLOCK = "DEADLOCK"
    HANDOFF = "HANDOFF"
    POST_GOAL = "POST_GOAL"


@dataclass(frozen=True, slots=True)
class FactValue:
    """A fact with its provenance: who gave it, at which turn, to which node, in which words."""

    value: Any
    source: str = "visitor"
    turn_index: int | None = None
    node_id: str | None = None
    words: str | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "value": self.value,
            "source": self.source,
            "turnIndex": self.turn_index,
            "nodeId": self.node_id,
            "words": self.words,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "FactValue":
        return cls(data["value"], data["source"], data["turnIndex"], data["nodeId"], data["words"])


@dataclass(frozen=True, slots=True)
class OpenPrompt:
    """The question that the next reply answers, with the facts it may produce (wider under BROADEN)."""

    turn_index: int
    node_id: str
    scope: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        return {"turnIndex": self.turn_index, "nodeId": self.node_id, "scope": list(self.scope)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "OpenPrompt":
        return cls(data["turnIndex"], data["nodeId"], tuple(data["scope"]))


@dataclass(frozen=True, slots=True)
class Handoff:
    """Why a human was asked for; kept until an operator resumes (F9)."""

    turn_index: int
    node_id: str
    reason_codes: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "turnIndex": self.turn_index,
            "nodeId": self.node_id,
            "reasonCodes": [str(code) for code in self.reason_codes],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Handoff":
        return cls(data["turnIndex"], data["nodeId"], tuple(data["reasonCodes"]))


@dataclass(frozen=True, slots=True)
class TurnEntry:
    """One line of the turn log. The reply to a turn completes its line; `llm_response` is what the flow said."""

    turn_index: int
    node_id: str
    mode: Mode
    reason_codes: tuple[str, ...] = ()
    facts_produced: tuple[str, ...] = ()
    facts_ignored: tuple[str, ...] = ()
    states_produced: tuple[str, ...] = ()
    gates_gained: tuple[str, ...] = ()
    gates_lost: tuple[str, ...] = ()
    user_input: str | None = None
    llm_response: str | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "turnIndex": self.turn_index,
            "nodeId": self.node_id,
            "mode": self.mode.value,
            "reasonCodes": [str(code) for code in self.reason_codes],
            "factsProduced": list(self.facts_produced),
            "factsIgnored": list(self.facts_ignored),
            "statesProduced": list(self.states_produced),
            "gatesGained": list(self.gates_gained),
            "gatesLost": list(self.gates_lost),
            "userInput": self.user_input,
            "llmResponse": self.llm_response,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "TurnEntry":
        return cls(
            turn_index=data["turnIndex"],
            node_id=data["nodeId"],
            mode=Mode(data["mode"]),
            reason_codes=tuple(data["reasonCodes"]),
            facts_produced=tuple(data["factsProduced"]),
            facts_ignored=tuple(data["factsIgnored"]),
            states_produced=tuple(data["statesProduced"]),
            gates_gained=tuple(data["gatesGained"]),
            gates_lost=tuple(data["gatesLost"]),
            user_input=data["userInput"],
            llm_response=data.get("llmResponse"),
        )


@dataclass(frozen=True, slots=True)
class RuntimeState:
    """Everything a decision depends on, and the log, on which none does.

    `grants` holds the attempts a node may reach by an operator's leave; `gates_lost` waits for the next
    decision to log it (F15).
    """

    facts: Mapping[str, FactValue] = field(default_factory=dict)
    states: frozenset[str] = frozenset()
    gates_satisfied: frozenset[str] = frozenset()
    attempts: Mapping[str, int] = field(default_factory=dict)
    executions: Mapping[str, int] = field(default_factory=dict)
    last_attempt: Mapping[str, int] = field(default_factory=dict)
    clarified: frozenset[str] = frozenset()
    broadened: frozenset[str] = frozenset()
    skipped: frozenset[str] = frozenset()
    grants: Mapping[str, int] = field(default_factory=dict)
    gates_lost: frozenset[str] = frozenset()
    turn_index: int = 0
    status: Status = Status.OK
    run_node: str | None = None
    run_length: int = 0
    open_prompt: OpenPrompt | None = None
    handoff: Handoff | None = None
    turn_log: tuple[TurnEntry, ...] = ()

    def without_log(self) -> "RuntimeState":
        """The compact state: all that deciding needs."""
        return replace(self, turn_log=())

    def to_json(self) -> dict[str, Any]:
        """Seed 001's RuntimeState (sets as sorted lists) with what F adds."""
        return {
            "facts": sorted(self.facts),
            "factValues": {name: self.facts[name].to_json() for name in sorted(self.facts)},
            "states": sorted(self.states),
            "gatesSatisfied": sorted(self.gates_satisfied),
            "attemptsByNode": dict(self.attempts),
            "executionsByNode": dict(self.executions),
            "lastAttemptTurn": dict(self.last_attempt),
            "clarified": sorted(self.clarified),
            "broadened": sorted(self.broadened),
            "skipped": sorted(self.skipped),
            "grants": dict(self.grants),
            "gatesLost": sorted(self.gates_lost),
            "turnIndex": self.turn_index,
            "status": self.status.value,
            "consecutive": {"nodeId": self.run_node, "count": self.run_length},
            "openPrompt": self.open_prompt.to_json() if self.open_prompt else None,
            "handoff": self.handoff.to_json() if self.handoff else None,
            "turnLog": [entry.to_json() for entry in self.turn_log],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "RuntimeState":
        """The inverse of `to_json`; a missing `turnLog` (compact storage) is an empty one."""
        prompt, handoff = data["openPrompt"], data["handoff"]
        return cls(
            facts={name: FactValue.from_json(item) for name, item in data["factValues"].items()},
            states=frozenset(data["states"]),
            gates_satisfied=frozenset(data["gatesSatisfied"]),
            attempts=dict(data["attemptsByNode"]),
            executions=dict(data["executionsByNode"]),
            last_attempt=dict(data["lastAttemptTurn"]),
            clarified=frozenset(data["clarified"]),
            broadened=frozenset(data["broadened"]),
            skipped=frozenset(data["skipped"]),
            grants=dict(data["grants"]),
            gates_lost=frozenset(data["gatesLost"]),
            turn_index=data["turnIndex"],
            status=Status(data["status"]),
            run_node=data["consecutive"]["nodeId"],
            run_length=data["consecutive"]["count"],
            open_prompt=OpenPrompt.from_json(prompt) if prompt else None,
            handoff=Handoff.from_json(handoff) if handoff else None,
            turn_log=log_from_json(data.get("turnLog", ())),
        )


def log_from_json(entries: Iterable[Mapping[str, Any]]) -> tuple[TurnEntry, ...]:
    """A stored turn log as values."""
    return tuple(TurnEntry.from_json(entry) for entry in entries)
