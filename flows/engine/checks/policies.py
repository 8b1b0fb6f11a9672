"""Numbers and lists that do not do what their author meant."""

from collections.abc import Iterator

from ..bounds import CONSECUTIVE_CAP, retries_apply, turns_of
from ..definition import FlowDefinition, Gate, GoalType, Node, PostGoalPolicy
from ..findings import Code, Finding, Level, pointer
from ..wording import Sentence, sentence


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
            sentence(
                "nothing ever ends “%(node)s”: it satisfies no gate and has no runPolicy.maxExecutions", node=node.id
            ),
            sentence("set runPolicy.maxExecutions, or name the gates it satisfies"),
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
            sentence(
                "“%(node)s” is out after one execution, so its %(n)s attempts are never made",
                node=node.id,
                n=policy.max_attempts,
            ),
            sentence("raise or drop maxExecutions (a satisfied gate ends the node anyway), or set maxAttempts to 1"),
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
            sentence(
                "the cooldown of “%(node)s” never has an effect: the node is asked once, or is alone", node=node.id
            ),
            sentence("remove cooldownTurns"),
            node.id,
        )
    elif turns is None or turns >= CONSECUTIVE_CAP:
        yield Finding(
            Level.WARNING,
            Code.LOOP_GUARD_UNREACHABLE,
            path,
            sentence(
                "“%(node)s” may be asked %(n)s times or more, but its cooldown breaks every run of equal turns, so the "
                "loop guard cannot see it",
                node=node.id,
                n=CONSECUTIVE_CAP,
            ),
            sentence("drop the cooldown, or keep attempts and executions below %(n)s", n=CONSECUTIVE_CAP),
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
            sentence("the default cooldown never has an effect: no node that inherits it can be asked twice"),
            sentence("remove cooldownTurns"),
        )


def _can_cool(definition: FlowDefinition, node: Node) -> bool:
    turns = turns_of(definition, node)
    return len(definition.nodes) > 1 and (turns is None or turns > 1)


def _helpless(definition: FlowDefinition, node: Node, place: int) -> Iterator[Finding]:
    facts, states = set(definition.produced_by(node)), set(node.states)
    for index, name in enumerate(node.gates or ()):
        gate = definition.gates.get(name)
        if gate and facts.isdisjoint(gate.metrics) and states.isdisjoint(gate.states_all or ()):
            if retries_apply(node):
                why = sentence(
                    "“%(node)s” asks until its attempts are used up for gate %(gate)s, but produces nothing that "
                    "gate is waiting for",
                    node=node.id,
                    gate=name,
                )
            else:
                why = sentence(
                    "“%(node)s” runs for gate %(gate)s, but produces nothing that gate is waiting for",
                    node=node.id,
                    gate=name,
                )
            yield Finding(
                Level.WARNING,
                Code.CANNOT_HELP_GATE,
                pointer("nodes", place, "satisfies", "gates", index),
                why,
                sentence(
                    "let it produce a fact or state of %(gate)s, or remove %(gate)s from satisfies.gates", gate=name
                ),
                node.id,
            )


def _empty_lists(definition: FlowDefinition) -> Iterator[Finding]:
    meanings = (
        ("metricsAny", "metrics_any", sentence("the gate can never be satisfied")),
        ("metricsAll", "metrics_all", sentence("it demands nothing")),
        ("statesAll", "states_all", sentence("it demands nothing")),
    )
    goal = definition.gates.get(definition.goal.name) if definition.goal.type is GoalType.GATE else None
    if goal == Gate() and definition.post_goal is PostGoalPolicy.STOP:
        name = definition.goal.name
        path = pointer("gateDefinitions", name, "satisfiedBy")
        why = sentence("the goal %(gate)s demands nothing: the flow is done before its first word", gate=name)
        yield _empty(path, why, None, sentence("say which facts or states it needs"))
    for name, gate in definition.gates.items():
        for key, attribute, meaning in meanings:
            if getattr(gate, attribute) == ():
                path = pointer("gateDefinitions", name, "satisfiedBy", key)
                why = sentence("%(list)s of gate %(gate)s is empty: %(why)s", list=key, gate=name, why=meaning)
                yield _empty(path, why, None)
    if not definition.nodes:
        yield Finding(
            Level.WARNING,
            Code.EMPTY_LIST,
            pointer("nodes"),
            sentence("the flow has no node: it says nothing"),
            sentence("add a node that says or asks something"),
        )
    for place, node in enumerate(definition.nodes):
        if node.gates == ():
            path = pointer("nodes", place, "satisfies", "gates")
            why = sentence("satisfies.gates of “%(node)s” is empty: it is done after one turn", node=node.id)
            yield _empty(path, why, node.id)


def _empty(path: str, message: Sentence, node: str | None, advice: Sentence | None = None) -> Finding:
    advice = advice or sentence("remove the list or fill it")
    return Finding(Level.WARNING, Code.EMPTY_LIST, path, message, advice, node)
