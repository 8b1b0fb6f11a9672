"""What no visitor can ever bring about, and which nodes the goal hangs on."""

from collections.abc import Iterator

from ..definition import FlowDefinition, Node, OnExhaust
from ..findings import Code, Finding, Level, pointer
from ..wording import sentence
from .closure import Atom, Closure, Derivation


def check(definition: FlowDefinition) -> Iterator[Finding]:
    """Unreachable goal, nodes and gates; critical nodes."""
    closure = Closure(definition)
    derived = closure.derive()
    yield from _unreachable(definition, closure.goal, derived)
    yield from _critical(definition, closure.critical_nodes(derived))


def _unreachable(definition: FlowDefinition, goal: Atom, derived: Derivation) -> Iterator[Finding]:
    if goal not in derived:
        yield Finding(
            Level.ERROR,
            Code.GOAL_UNREACHABLE,
            pointer("primaryGoal"),
            sentence("no visitor can ever reach the goal %(goal)s", goal=goal.name),
            sentence("let reachable nodes produce the facts and states it needs"),
        )
    for place, node in enumerate(definition.nodes):
        if Atom("node", node.id) not in derived:
            yield _never_eligible(node, place, derived)
    for name in definition.gates:
        if Atom("gate", name) not in derived:
            yield Finding(
                Level.WARNING,
                Code.GATE_UNSATISFIABLE,
                pointer("gateDefinitions", name),
                sentence("gate %(gate)s can never be satisfied", gate=name),
                sentence("let reachable nodes produce the facts and states it needs"),
            )


def _never_eligible(node: Node, place: int, derived: Derivation) -> Finding:
    missing = [gate for gate in node.requires if Atom("gate", gate) not in derived]
    missing += [state for state in node.requires_states if Atom("state", state) not in derived]
    if missing:
        why = sentence("“%(node)s” can never run: %(names)s cannot come about", node=node.id, names=", ".join(missing))
    else:
        why = sentence("“%(node)s” can never run: it is capped or done before it may run", node=node.id)
    return Finding(
        Level.ERROR,
        Code.NODE_NEVER_ELIGIBLE,
        pointer("nodes", place),
        why,
        sentence("remove the node, or make what it requires possible"),
        node.id,
    )


def _critical(definition: FlowDefinition, critical: set[str]) -> Iterator[Finding]:
    for place, node in enumerate(definition.nodes):
        if node.id not in critical:
            continue
        yield Finding(
            Level.INFO,
            Code.CRITICAL_NODE,
            pointer("nodes", place),
            sentence("without “%(node)s” the goal cannot be reached", node=node.id),
            sentence("test its prompts with care"),
            node.id,
        )
        if definition.retry_policy(node).on_exhaust is OnExhaust.SKIP:
            yield Finding(
                Level.WARNING,
                Code.CRITICAL_SKIP,
                pointer("nodes", place, "retryPolicy", "onExhaust"),
                sentence(
                    "“%(node)s” is skipped when its attempts are used up, and the goal is lost with it", node=node.id
                ),
                sentence("use HANDOFF, CLARIFY or BROADEN"),
                node.id,
            )
