"""A flow turned into integers: one bit a fact, a flow state, a gate and a node.

Nodes are numbered by (position, id), so the lowest set bit of a mask is the node that F13 prefers, whatever
order the definition was stored in.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from .checks.references import blocking_findings
from .definition import (
    HANDOFF_REQUESTED,
    FlowDefinition,
    GoalType,
    Importance,
    Node,
    PostGoalPolicy,
    RetryPolicy,
)
from .findings import FlowNotLoadable, has_errors
from .parsing import parse


@dataclass(frozen=True, slots=True)
class CompiledGate:
    name: str
    metrics_all: int
    metrics_any: int | None
    states_all: int

    def holds(self, facts: int, states: int) -> bool:
        """Seed 001's `isGateSatisfied` with the presence rules of F15."""
        return (
            facts & self.metrics_all == self.metrics_all
            and (self.metrics_any is None or facts & self.metrics_any != 0)
            and states & self.states_all == self.states_all
        )


@dataclass(frozen=True, slots=True)
class CompiledNode:
    id: str
    source: Node
    policy: RetryPolicy
    requires: int
    requires_states: int
    produces: int
    gates: int | None
    states: int
    cap: float


@dataclass(frozen=True, slots=True)
class Watchers:
    """Who must be looked at again when a bit changes: one tuple of numbers a bit."""

    gates_by_fact: tuple[tuple[int, ...], ...]
    gates_by_state: tuple[tuple[int, ...], ...]
    nodes_by_fact: tuple[tuple[int, ...], ...]
    nodes_by_state: tuple[tuple[int, ...], ...]
    nodes_by_gate: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class CompiledFlow:
    definition: FlowDefinition
    nodes: tuple[CompiledNode, ...]
    gates: tuple[CompiledGate, ...]
    node_index: Mapping[str, int]
    fact_index: Mapping[str, int]
    state_index: Mapping[str, int]
    state_names: tuple[str, ...]
    gate_index: Mapping[str, int]
    watchers: Watchers
    everyone: int
    by_importance: tuple[int, int, int]
    goal_gate: int
    goal_state: int
    post_goal: bool
    handoff_state: int


def compile_flow(definition: FlowDefinition) -> CompiledFlow:
    """Compile a definition; raises `FlowNotLoadable` if it could not run (F23)."""
    problems = tuple(blocking_findings(definition))
    if problems:
        raise FlowNotLoadable(problems)
    ordered = sorted(definition.nodes, key=lambda node: (node.position, node.id))
    facts = _number(_fact_names(definition))
    states = _number(_state_names(definition))
    gate_index = _number(definition.gates)
    gates = tuple(
        CompiledGate(
            name,
            _mask(gate.metrics_all or (), facts),
            None if gate.metrics_any is None else _mask(gate.metrics_any, facts),
            _mask(gate.states_all or (), states),
        )
        for name, gate in definition.gates.items()
    )
    nodes = tuple(_compile_node(definition, node, facts, states, gate_index) for node in ordered)
    goal = definition.goal
    return CompiledFlow(
        definition=definition,
        nodes=nodes,
        gates=gates,
        node_index=_number(node.id for node in ordered),
        fact_index=facts,
        state_index=states,
        state_names=tuple(states),
        gate_index=gate_index,
        watchers=_watchers(nodes, gates, len(facts), len(states)),
        everyone=(1 << len(nodes)) - 1,
        by_importance=(
            _importance_mask(nodes, Importance.HIGH),
            _importance_mask(nodes, Importance.NORMAL),
            _importance_mask(nodes, Importance.LOW),
        ),
        goal_gate=1 << gate_index[goal.name] if goal.type is GoalType.GATE else 0,
        goal_state=1 << states[goal.name] if goal.type is GoalType.STATE else 0,
        post_goal=definition.post_goal is PostGoalPolicy.CONTINUE_HIGH,
        handoff_state=1 << states[HANDOFF_REQUESTED],
    )


def load(document: Any) -> CompiledFlow:
    """Parse and compile a JSON document; raises `FlowNotLoadable` with every finding that stops it (F23)."""
    definition, findings = parse(document)
    if definition is None or has_errors(findings):
        raise FlowNotLoadable(findings)
    return compile_flow(definition)


def bits(mask: int) -> Iterable[int]:
    """The numbers of the set bits, lowest first."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def _compile_node(
    definition: FlowDefinition,
    node: Node,
    facts: Mapping[str, int],
    states: Mapping[str, int],
    gates: Mapping[str, int],
) -> CompiledNode:
    return CompiledNode(
        id=node.id,
        source=node,
        policy=definition.retry_policy(node),
        requires=_mask(node.requires, gates),
        requires_states=_mask(node.requires_states, states),
        produces=_mask(definition.produced_by(node), facts),
        gates=None if node.gates is None else _mask(node.gates, gates),
        states=_mask(node.states, states),
        cap=float("inf") if node.max_executions is None else node.max_executions,
    )


def _fact_names(definition: FlowDefinition) -> Iterable[str]:
    for node in definition.nodes:
        yield from definition.produced_by(node)
    for gate in definition.gates.values():
        yield from gate.metrics
    yield from definition.facts


def _state_names(definition: FlowDefinition) -> Iterable[str]:
    yield HANDOFF_REQUESTED
    for node in definition.nodes:
        yield from node.states
        yield from node.requires_states
    for gate in definition.gates.values():
        yield from gate.states_all or ()
    if definition.goal.type is GoalType.STATE:
        yield definition.goal.name


def _number(names: Iterable[str]) -> dict[str, int]:
    return {name: number for number, name in enumerate(dict.fromkeys(names))}


def _mask(names: Iterable[str], index: Mapping[str, int]) -> int:
    mask = 0
    for name in names:
        mask |= 1 << index[name]
    return mask


def _importance_mask(nodes: tuple[CompiledNode, ...], importance: Importance) -> int:
    return sum(1 << number for number, node in enumerate(nodes) if node.source.importance is importance)


def _watchers(nodes: tuple[CompiledNode, ...], gates: tuple[CompiledGate, ...], facts: int, states: int) -> Watchers:
    return Watchers(
        gates_by_fact=_by_bit(facts, (gate.metrics_all | (gate.metrics_any or 0) for gate in gates)),
        gates_by_state=_by_bit(states, (gate.states_all for gate in gates)),
        nodes_by_fact=_by_bit(facts, (node.produces for node in nodes)),
        nodes_by_state=_by_bit(states, (node.requires_states for node in nodes)),
        nodes_by_gate=_by_bit(len(gates), (node.requires | (node.gates or 0) for node in nodes)),
    )


def _by_bit(size: int, masks: Iterable[int]) -> tuple[tuple[int, ...], ...]:
    watchers: list[list[int]] = [[] for _ in range(size)]
    for number, mask in enumerate(masks):
        for bit in bits(mask):
            watchers[bit].append(number)
    return tuple(map(tuple, watchers))
