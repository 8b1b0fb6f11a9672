"""How long a flow can talk: the turn bound and worst waits of semantics.md, by its formula."""

from collections.abc import Iterator

from .definition import FlowDefinition, Importance, Node, OnExhaust

CONSECUTIVE_CAP = 10
"""The loop guard of F11, unless the policy says otherwise."""
RANK = {Importance.HIGH: 0, Importance.NORMAL: 1, Importance.LOW: 2}


def turns_of(definition: FlowDefinition, node: Node) -> int | None:
    """E + R + X of one node; None if nothing bounds it."""
    executions = 1 if node.gates is not None else node.max_executions
    if executions is None:
        return None
    if not retries_apply(node):
        return executions
    policy = definition.retry_policy(node)
    extra = policy.on_exhaust in (OnExhaust.CLARIFY, OnExhaust.BROADEN)
    return executions + policy.max_attempts - 1 + extra


def retries_apply(node: Node) -> bool:
    """A node asks again only if it has an objective to miss and a cap that leaves it eligible (F5)."""
    has_objective = bool(node.gates or node.produces)
    return has_objective and (node.max_executions is None or node.max_executions > 1)


def turn_bound(definition: FlowDefinition) -> int | None:
    """No conversation takes more turns (operators' grants aside); None if some node is unbounded."""
    total = 1
    for node in definition.nodes:
        turns = turns_of(definition, node)
        if turns is None:
            return None
        total += turns
    return total


def worst_waits(definition: FlowDefinition) -> dict[str, int | None]:
    """Turns that may pass before each node is first asked: all that rank before it."""
    return dict(_running_sums(definition))


def _running_sums(definition: FlowDefinition) -> Iterator[tuple[str, int | None]]:
    waited: int | None = 0
    for node in sorted(definition.nodes, key=lambda node: (RANK[node.importance], node.position)):
        yield node.id, waited
        turns = turns_of(definition, node)
        waited = None if waited is None or turns is None else waited + turns
