"""Names that point nowhere or at the wrong thing."""

from collections import Counter
from collections.abc import Iterator

from ..definition import HANDOFF_REQUESTED, FlowDefinition, GoalType
from ..findings import Code, Finding, Level, pointer
from ..wording import sentence


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
                sentence("%(n)s nodes are called “%(node)s”", n=counts[node.id], node=node.id),
                sentence("give each node an id of its own"),
                node.id,
            )
        for key, names in (("requires", node.requires), ("satisfies/gates", node.gates or ())):
            for index, gate in enumerate(names):
                if gate not in definition.gates:
                    path = pointer("nodes", place, *key.split("/"), index)
                    yield _undefined(Code.UNDEFINED_GATE, path, gate, node.id)
    goal = definition.goal
    if goal.type is GoalType.GATE and goal.name not in definition.gates:
        yield _undefined(Code.UNDEFINED_GATE, pointer("primaryGoal", "gate"), goal.name, None)


def _undefined_states(definition: FlowDefinition) -> Iterator[Finding]:
    known = {state for node in definition.nodes for state in node.states} | {HANDOFF_REQUESTED}
    for place, node in enumerate(definition.nodes):
        for index, state in enumerate(node.requires_states):
            if state not in known:
                path = pointer("nodes", place, "requiresStates", index)
                yield _undefined(Code.UNDEFINED_STATE, path, state, node.id)
    for name, gate in definition.gates.items():
        for index, state in enumerate(gate.states_all or ()):
            if state not in known:
                path = pointer("gateDefinitions", name, "satisfiedBy", "statesAll", index)
                yield _undefined(Code.UNDEFINED_STATE, path, state, None)
    goal = definition.goal
    if goal.type is GoalType.STATE and goal.name not in known:
        yield _undefined(Code.UNDEFINED_STATE, pointer("primaryGoal", "state"), goal.name, None)


def _undefined(code: Code, path: str, name: str, node: str | None) -> Finding:
    if code is Code.UNDEFINED_GATE:
        message = sentence("the gate “%(gate)s” is used but nothing defines it", gate=name)
        advice = sentence("define “%(gate)s” in gateDefinitions, or correct the name", gate=name)
    else:
        message = sentence("the state “%(state)s” is used but nothing defines it", state=name)
        advice = sentence("define “%(state)s” in some node's satisfies.states, or correct the name", state=name)
    return Finding(Level.ERROR, code, path, message, advice, node)


def _aliases(definition: FlowDefinition) -> Iterator[Finding]:
    used = set(definition.facts).union(*(gate.metrics for gate in definition.gates.values()))
    for raw, target in definition.aliases.items():
        path = pointer("factAliases", raw)
        if target in definition.aliases:
            yield Finding(
                Level.ERROR,
                Code.ALIAS_CHAIN,
                path,
                sentence(
                    "“%(raw)s” stands for “%(fact)s”, which is an alias itself; aliases are followed once",
                    raw=raw,
                    fact=target,
                ),
                sentence("let “%(raw)s” point at the canonical name directly", raw=raw),
            )
        elif target not in used:
            yield Finding(
                Level.WARNING,
                Code.ALIAS_TARGET_UNUSED,
                path,
                sentence(
                    "“%(raw)s” stands for “%(fact)s”, which no gate and no entry of facts mentions",
                    raw=raw,
                    fact=target,
                ),
                sentence("use “%(fact)s” in a gate, declare it in facts, or correct the name", fact=target),
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
                        sentence(
                            "gate %(gate)s waits for the raw name “%(raw)s”, which is always stored as “%(fact)s”",
                            gate=name,
                            raw=fact,
                            fact=definition.aliases[fact],
                        ),
                        sentence("write “%(fact)s”", fact=definition.aliases[fact]),
                    )
