"""Everything a cooperative visitor could ever bring about, as Horn rules over facts, states, gates and nodes.

Facts only grow, so forward chaining to the fixed point finds all that is reachable at best.
"""

from collections.abc import Iterator, Mapping
from copy import copy
from typing import NamedTuple

from ..bounds import CONSECUTIVE_CAP, retries_apply, turns_of
from ..definition import HANDOFF_REQUESTED, FlowDefinition, Gate, GoalType, Node, OnExhaust


class Atom(NamedTuple):
    kind: str
    name: str


Derivation = Mapping[Atom, tuple[Atom, ...]]
"""Each atom that holds, with the atoms it was first derived from."""


class Closure:
    """The rules of one flow, and what follows from them."""

    def __init__(self, definition: FlowDefinition) -> None:
        self.goal = Atom("gate" if definition.goal.type is GoalType.GATE else "state", definition.goal.name)
        self.rules = tuple(_rules(definition))
        self.watchers: dict[Atom, list[int]] = {}
        for number, (body, _) in enumerate(self.rules):
            for atom in body:
                self.watchers.setdefault(atom, []).append(number)

    def derive(self) -> Derivation:
        """The fixed point, in time linear in the flow."""
        chaining = _Chaining(self)
        chaining.run()
        return chaining.derived

    def critical_nodes(self, derived: Derivation) -> set[str]:
        """Nodes without which the goal is lost.

        Such a node lies on every derivation of the goal, so a detour around one suspect clears all that are not on it;
        and what was derived before a suspect does not depend on it, so each detour starts there.
        """
        if self.goal not in derived:
            return set()
        suspects = _nodes_behind(self.goal, derived)
        critical: set[str] = set()
        shared = _Chaining(self)
        for suspect in [atom for atom in derived if atom in suspects]:
            if suspect not in suspects:
                continue
            shared.run(before=suspect)
            detour = shared.copy()
            detour.run(without=suspect, until=self.goal)
            if self.goal in detour.derived:
                suspects &= _nodes_behind(self.goal, detour.derived)
            else:
                critical.add(suspect.name)
        return critical


class _Chaining:
    """Forward chaining that can be halted, copied and taken up again."""

    def __init__(self, closure: Closure) -> None:
        self.closure = closure
        self.missing = [len(body) for body, _ in closure.rules]
        self.queue = [number for number, count in enumerate(self.missing) if not count]
        self.derived: dict[Atom, tuple[Atom, ...]] = {}

    def copy(self) -> "_Chaining":
        twin = copy(self)
        twin.missing, twin.queue, twin.derived = list(self.missing), list(self.queue), dict(self.derived)
        return twin

    def run(self, *, before: Atom | None = None, without: Atom | None = None, until: Atom | None = None) -> None:
        """Go on to the fixed point, or halt before one atom or after another; `without` is never derived."""
        while self.queue:
            body, head = self.closure.rules[self.queue[-1]]
            if head == before:
                return
            self.queue.pop()
            if head in self.derived or head == without:
                continue
            self.derived[head] = body
            if head == until:
                return
            for watcher in self.closure.watchers.get(head, ()):
                self.missing[watcher] -= 1
                if not self.missing[watcher]:
                    self.queue.append(watcher)


def _nodes_behind(goal: Atom, derived: Derivation) -> set[Atom]:
    seen, stack = {goal}, [goal]
    while stack:
        for atom in derived[stack.pop()]:
            if atom not in seen:
                seen.add(atom)
                stack.append(atom)
    return {atom for atom in seen if atom.kind == "node"}


Rule = tuple[tuple[Atom, ...], Atom]


def _rules(definition: FlowDefinition) -> Iterator[Rule]:
    free = {name for name, gate in definition.gates.items() if _holds_from_the_start(gate)}
    for name, gate in definition.gates.items():
        yield from _gate_rules(name, gate)
    for node in definition.nodes:
        if _may_run(node, free):
            yield from _node_rules(definition, node)


def _holds_from_the_start(gate: Gate) -> bool:
    return not gate.metrics_all and gate.metrics_any is None and not gate.states_all


def _gate_rules(name: str, gate: Gate) -> Iterator[Rule]:
    body = [Atom("fact", fact) for fact in gate.metrics_all or ()]
    body += [Atom("state", state) for state in gate.states_all or ()]
    if gate.metrics_any is not None:
        body.append(Atom("any", name))
        for fact in gate.metrics_any:
            yield (Atom("fact", fact),), Atom("any", name)
    yield tuple(body), Atom("gate", name)


def _may_run(node: Node, free: set[str]) -> bool:
    """Neither capped at 0 nor, under skipIfSatisfied, done before its own requirements can hold."""
    skipped = node.skip_if_satisfied and node.gates is not None and set(node.gates) <= free | set(node.requires)
    return node.max_executions != 0 and not skipped


def _node_rules(definition: FlowDefinition, node: Node) -> Iterator[Rule]:
    runs = Atom("node", node.id)
    needs = [Atom("gate", gate) for gate in node.requires]
    needs += [Atom("state", state) for state in node.requires_states]
    yield tuple(needs), runs
    for fact in definition.produced_by(node):
        yield (runs,), Atom("fact", fact)
    waits_for = (Atom("gate", gate) for gate in node.gates or () if node.produces)  # F3
    sets = (runs, *waits_for)
    for state in node.states:
        yield sets, Atom("state", state)
    if _may_hand_off(definition, node):
        yield (runs,), Atom("state", HANDOFF_REQUESTED)


def _may_hand_off(definition: FlowDefinition, node: Node) -> bool:
    turns = turns_of(definition, node)
    gives_up = retries_apply(node) and definition.retry_policy(node).on_exhaust is not OnExhaust.SKIP
    return gives_up or turns is None or turns >= CONSECUTIVE_CAP
