"""Numbers and lists that do not do what their author meant."""

from collections.abc import Iterator

from ..bounds import CONSECUTIVE_CAP, retries_apply, turns_of
from ..definition import FlowDefinition, Gate, GoalType, Node, PostGoalPolicy
from ..findings import Code, Finding, Level, pointer


def check(definition: FlowDefinition) -> Iterator[Finding]:
    """Every per-node and per-gate rule of the table."""
    for place, node in enumerate(definition.nodes):
        yield from _bounds(definition, node, place)
        yield from _cooldown(definition, node, place)
        yield from _helpless(definition, node, place)
    yield from _default_cooldown(definition)
    yield from _empty_lists(definition)


def _bounds(definition: FlowDefinition, node: Node, place: int) -> Iterator[Finding]:
    if node.gates is None and node.max_executions is None:
        yield Finding(
            Level.ERROR,
            Code.UNBOUNDED_NODE,
            pointer("nodes", place),
            f"nothing ever ends “{node.id}”: it satisfies no gate and has no runPolicy.maxExecutions",
            "set runPolicy.maxExecutions, or name the gates it satisfies",
            node.id,
        )
    policy = definition.retry_policy(node)
    capped = node.max_executions == 1 or node.gates == ()
    if node.produces and capped and policy.max_attempts > 1:
        yield Finding(
            Level.WARNING,
            Code.RETRY_DEAD,
            pointer("nodes", place, "runPolicy", "maxExecutions")
            if node.max_executions == 1
            else pointer("nodes", place, "satisfies", "gates"),
            f"“{node.id}” is out after one execution, so its {policy.max_attempts} attempts are never made",
            "raise or drop maxExecutions (a satisfied gate ends the node anyway), or set maxAttempts to 1",
            node.id,
        )


def _cooldown(definition: FlowDefinition, node: Node, place: int) -> Iterator[Finding]:
    if node.retry_policy is None or not node.retry_policy.cooldown_turns:
        return
    path = pointer("nodes", place, "retryPolicy", "cooldownTurns")
    turns = turns_of(definition, node)
    if not _can_cool(definition, node):
        yield Finding(
            Level.WARNING,
            Code.DEAD_COOLDOWN,
            path,
            f"the cooldown of “{node.id}” never has an effect: the node is asked once, or is alone",
            "remove cooldownTurns",
            node.id,
        )
    elif turns is None or turns >= CONSECUTIVE_CAP:
        yield Finding(
            Level.WARNING,
            Code.LOOP_GUARD_UNREACHABLE,
            path,
            f"“{node.id}” may be asked {CONSECUTIVE_CAP} times or more, but its cooldown breaks every run of equal "
            "turns, so the loop guard cannot see it",
            f"drop the cooldown, or keep attempts and executions below {CONSECUTIVE_CAP}",
            node.id,
        )


def _default_cooldown(definition: FlowDefinition) -> Iterator[Finding]:
    heirs = [node for node in definition.nodes if node.retry_policy is None]
    default = definition.default_retry
    if default and default.cooldown_turns and not any(_can_cool(definition, node) for node in heirs):
        yield Finding(
            Level.WARNING,
            Code.DEAD_COOLDOWN,
            pointer("defaults", "retryPolicy", "cooldownTurns"),
            "the default cooldown never has an effect: no node that inherits it can be asked twice",
            "remove cooldownTurns",
        )


def _can_cool(definition: FlowDefinition, node: Node) -> bool:
    turns = turns_of(definition, node)
    return len(definition.nodes) > 1 and (turns is None or turns > 1)


def _helpless(definition: FlowDefinition, node: Node, place: int) -> Iterator[Finding]:
    facts, states = set(definition.produced_by(node)), set(node.states)
    for index, name in enumerate(node.gates or ()):
        gate = definition.gates.get(name)
        if gate and facts.isdisjoint(gate.metrics) and states.isdisjoint(gate.states_all or ()):
            asks = "asks until its attempts are used up" if retries_apply(node) else "runs"
            yield Finding(
                Level.WARNING,
                Code.CANNOT_HELP_GATE,
                pointer("nodes", place, "satisfies", "gates", index),
                f"“{node.id}” {asks} for gate {name}, but produces nothing that gate is waiting for",
                f"let it produce a fact or state of {name}, or remove {name} from satisfies.gates",
                node.id,
            )


def _empty_lists(definition: FlowDefinition) -> Iterator[Finding]:
    meanings = (
        ("metricsAny", "metrics_any", "the gate can never be satisfied"),
        ("metricsAll", "metrics_all", "it demands nothing"),
        ("statesAll", "states_all", "it demands nothing"),
    )
    goal = definition.gates.get(definition.goal.name) if definition.goal.type is GoalType.GATE else None
    if goal == Gate() and definition.post_goal is PostGoalPolicy.STOP:
        name = definition.goal.name
        path = pointer("gateDefinitions", name, "satisfiedBy")
        why = f"the goal {name} demands nothing: the flow is done before its first word"
        yield _empty(path, why, None, "say which facts or states it needs")
    for name, gate in definition.gates.items():
        for key, attribute, meaning in meanings:
            if getattr(gate, attribute) == ():
                path = pointer("gateDefinitions", name, "satisfiedBy", key)
                yield _empty(path, f"{key} of gate {name} is empty: {meaning}", None)
    if not definition.nodes:
        yield Finding(
            Level.WARNING,
            Code.EMPTY_LIST,
            pointer("nodes"),
            "the flow has no node: it says nothing",
            "add a node that says or asks something",
        )
    for place, node in enumerate(definition.nodes):
        if node.gates == ():
            path = pointer("nodes", place, "satisfies", "gates")
            yield _empty(path, f"satisfies.gates of “{node.id}” is empty: it is done after one turn", node.id)


def _empty(path: str, message: str, node: str | None, advice: str = "remove the list or fill it") -> Finding:
    return Finding(Level.WARNING, Code.EMPTY_LIST, path, message, advice, node)
