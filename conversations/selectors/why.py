"""Why a conversation stands where it stands: the last decision, and everything it looked at."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from conversations.domain import threads, turns
from conversations.domain.events import Recorded
from conversations.domain.relationship import Driver
from conversations.domain.transcript import text_of
from conversations.models import Event, LoopFinding, Relationship
from conversations.selectors.dialogues import dialogue_of
from conversations.selectors.events import as_recorded
from conversations.selectors.flow_runs import flow_of, state_of
from flows.engine.definition import FlowDefinition, Gate
from flows.engine.runtime import FactValue, Mode, RuntimeState

# While a person has the conversation, turns without a decision pile up.
LOOK_BACK = 50
FACTS_LOOK_BACK = 200
FINDINGS = 5


@dataclass(frozen=True, slots=True)
class NodeStanding:
    """A node: whether it speaks, how often it did, and every reason it does not."""

    id: str
    title: str
    chosen: bool
    gave_up: bool
    attempts: int
    limit: int
    executions: int
    skipped: bool
    reasons: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class GateStanding:
    """A gate and how far it is filled: each thing it needs, and whether it is there."""

    name: str
    open: bool
    needs_all: list[tuple[str, bool]]
    needs_any: list[tuple[str, bool]]

    @property
    def filled(self) -> int:
        return sum(there for _, there in self.needs_all) + any(there for _, there in self.needs_any)

    @property
    def wanted(self) -> int:
        return len(self.needs_all) + bool(self.needs_any)


@dataclass(frozen=True, slots=True)
class FlowWhy:
    status: str
    mode: str
    codes: list[str]
    nodes: list[NodeStanding]
    gates: list[GateStanding]
    facts: list[dict[str, Any]]


def last_event(relationship: Relationship, types: Iterable[str]) -> Recorded | None:
    found = Event.objects.filter(relationship=relationship, type__in=tuple(types)).select_related("payload")
    newest = found.order_by("-seq").first()
    return as_recorded(newest) if newest else None


def why_of(relationship: Relationship) -> dict[str, Any]:
    """The panel's contents, by what drives the conversation."""
    if relationship.driver == Driver.FLOW:
        return {"flow": flow_why(relationship)}
    if relationship.driver == Driver.ASSISTANT:
        document, side = dialogue_of(relationship)
        turn = last_event(relationship, [turns.TURN])
        return {"dialogue": document, "side": side, "turn": turn.content if turn else {}}
    if decided := last_event(relationship, threads.DECIDED):
        return {"thread": decided.content}
    return {}


def findings_of(relationship: Relationship) -> list[LoopFinding]:
    """The newest alarms about this conversation."""
    return list(LoopFinding.objects.filter(relationship=relationship).order_by("-seq")[:FINDINGS])


def flow_why(relationship: Relationship) -> FlowWhy:
    """The flow as its last decision left it."""
    definition = flow_of(relationship).definition
    state = state_of(relationship) or RuntimeState()
    told = last_decided(relationship)
    lines = fact_lines(relationship) if state.facts else {}
    decisions = [step for step in told.get("steps") or [] if step["step"] == "decision"]
    last: Mapping[str, Any] = decisions[-1] if decisions else {}
    return FlowWhy(
        status=state.status.value,
        mode=last.get("mode") or "",
        codes=list(last.get("reasonCodes") or []),
        nodes=nodes_of(definition, state, last=last, why_not=told.get("why_not") or {}),
        gates=[gate_standing(name, gate, definition, state) for name, gate in definition.gates.items()],
        facts=[fact_row(name, fact, lines.get(name)) for name, fact in sorted(state.facts.items())],
    )


def last_decided(relationship: Relationship) -> Mapping[str, Any]:
    """The newest turn the flow decided in; one that was only recorded for a person decided nothing."""
    taken = Event.objects.filter(relationship=relationship, type__in=(turns.TURN, turns.RESUMED))
    recent = taken.select_related("payload").order_by("-seq")[:LOOK_BACK]
    return next((told for event in recent if (told := as_recorded(event).content).get("steps")), {})


def fact_lines(relationship: Relationship) -> dict[str, int]:
    """The event each fact was last read from, or set by hand in."""
    told = Event.objects.filter(relationship=relationship, type__in=turns.FLOW_EVENTS).select_related("payload")
    lines: dict[str, int] = {}
    for event in reversed(told.order_by("-seq")[:FACTS_LOOK_BACK]):
        for step in as_recorded(event).content.get("steps") or ():
            lines |= dict.fromkeys((*step.get("facts", ()), *step.get("setFacts", ())), event.seq)
    return lines


def fact_row(name: str, fact: FactValue, line: int | None) -> dict[str, Any]:
    """A fact as a person reads it, with where it came from; a quantity is an amount and its unit."""
    row = {"name": name, "line": line, **fact.to_json()}
    if isinstance(fact.value, dict) and set(fact.value) == {"amount", "unit"}:
        return {**row, "value": f"{fact.value['amount']} {fact.value['unit'] or ''}".strip()}
    return {**row, "value": text_of(fact.value)}


def nodes_of(
    definition: FlowDefinition, state: RuntimeState, *, last: Mapping[str, Any], why_not: Mapping[str, Any]
) -> list[NodeStanding]:
    chosen = state.open_prompt.node_id if state.open_prompt else None
    gave_up = last.get("nodeId") if last.get("mode") == Mode.HANDOFF else None
    return [
        NodeStanding(
            id=node.id,
            title=node.title,
            chosen=node.id == chosen,
            gave_up=node.id == gave_up,
            attempts=state.attempts.get(node.id, 0),
            limit=state.grants.get(node.id, definition.retry_policy(node).max_attempts),
            executions=state.executions.get(node.id, 0),
            skipped=node.id in state.skipped,
            reasons=why_not.get(node.id, []),
        )
        for node in definition.nodes
    ]


def gate_standing(name: str, gate: Gate, definition: FlowDefinition, state: RuntimeState) -> GateStanding:
    def metrics(names: Sequence[str] | None) -> list[tuple[str, bool]]:
        return [(fact, definition.canonical(fact) in state.facts) for fact in names or ()]

    states = [(flag, flag in state.states) for flag in gate.states_all or ()]
    return GateStanding(
        name=name,
        open=name in state.gates_satisfied,
        needs_all=metrics(gate.metrics_all) + states,
        needs_any=metrics(gate.metrics_any),
    )
