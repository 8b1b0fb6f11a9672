"""Names that point nowhere or at the wrong thing."""

from collections import Counter
from collections.abc import Iterator

from ..definition import HANDOFF_REQUESTED, FlowDefinition, GoalType
from ..findings import Code, Finding, Level, pointer


def check(definition: FlowDefinition) -> Iterator[Finding]:
    """Every reference of the document, against what it defines."""
    yield from blocking_findings(definition)
    yield from _undefined_states(definition)
    yield from _aliases(definition)
    yield from _raw_names(definition)


def blocking_findings(definition: FlowDefinition) -> Iterator[Finding]:
    """The findings with which a flow cannot even be loaded (F23)."""
    counts = Counter(node.id for node in definition.nodes)
    for place, node in enumerate(definition.nodes):
        if counts[node.id] > 1:
            yield Finding(
                Level.ERROR,
                Code.DUPLICATE_ID,
                pointer("nodes", place, "id"),
                f"{counts[node.id]} nodes are called “{node.id}”",
                "give each node an id of its own",
                node.id,
            )
        for key, names in (("requires", node.requires), ("satisfies/gates", node.gates or ())):
            for index, gate in enumerate(names):
                if gate not in definition.gates:
                    path = pointer("nodes", place, *key.split("/"), index)
                    yield _undefined(Code.UNDEFINED_GATE, "gate", path, gate, node.id)
    goal = definition.goal
    if goal.type is GoalType.GATE and goal.name not in definition.gates:
        yield _undefined(Code.UNDEFINED_GATE, "gate", pointer("primaryGoal", "gate"), goal.name, None)


def _undefined_states(definition: FlowDefinition) -> Iterator[Finding]:
    known = {state for node in definition.nodes for state in node.states} | {HANDOFF_REQUESTED}
    for place, node in enumerate(definition.nodes):
        for index, state in enumerate(node.requires_states):
            if state not in known:
                path = pointer("nodes", place, "requiresStates", index)
                yield _undefined(Code.UNDEFINED_STATE, "state", path, state, node.id)
    for name, gate in definition.gates.items():
        for index, state in enumerate(gate.states_all or ()):
            if state not in known:
                path = pointer("gateDefinitions", name, "satisfiedBy", "statesAll", index)
                yield _undefined(Code.UNDEFINED_STATE, "state", path, state, None)
    goal = definition.goal
    if goal.type is GoalType.STATE and goal.name not in known:
        yield _undefined(Code.UNDEFINED_STATE, "state", pointer("primaryGoal", "state"), goal.name, None)


def _undefined(code: Code, what: str, path: str, name: str, node: str | None) -> Finding:
    where = "gateDefinitions" if what == "gate" else "some node's satisfies.states"
    return Finding(
        Level.ERROR,
        code,
        path,
        f"the {what} “{name}” is used but nothing defines it",
        f"define “{name}” in {where}, or correct the name",
        node,
    )


def _aliases(definition: FlowDefinition) -> Iterator[Finding]:
    used = set(definition.facts).union(*(gate.metrics for gate in definition.gates.values()))
    for raw, target in definition.aliases.items():
        path = pointer("factAliases", raw)
        if target in definition.aliases:
            yield Finding(
                Level.ERROR,
                Code.ALIAS_CHAIN,
                path,
                f"“{raw}” stands for “{target}”, which is an alias itself; aliases are followed once",
                f"let “{raw}” point at the canonical name directly",
            )
        elif target not in used:
            yield Finding(
                Level.WARNING,
                Code.ALIAS_TARGET_UNUSED,
                path,
                f"“{raw}” stands for “{target}”, which no gate and no entry of facts mentions",
                f"use “{target}” in a gate, declare it in facts, or correct the name",
            )


def _raw_names(definition: FlowDefinition) -> Iterator[Finding]:
    for name, gate in definition.gates.items():
        for key, facts in (("metricsAll", gate.metrics_all), ("metricsAny", gate.metrics_any)):
            for index, fact in enumerate(facts or ()):
                if fact in definition.aliases:
                    yield Finding(
                        Level.ERROR,
                        Code.RAW_NAME_IN_GATE,
                        pointer("gateDefinitions", name, "satisfiedBy", key, index),
                        f"gate {name} waits for the raw name “{fact}”, which is always stored as "
                        f"“{definition.aliases[fact]}”",
                        f"write “{definition.aliases[fact]}”",
                    )
