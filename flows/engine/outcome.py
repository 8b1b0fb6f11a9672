"""What a reply brings to the node it answers (F1, F3, F17, F20)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from .board import Board
from .compiled import bits
from .eligibility import objective_holds
from .runtime import FactValue
from .steps import Outcome


@dataclass(frozen=True, slots=True)
class Reply:
    """An inbound message: text, the facts found in it (raw or canonical names), the words of each."""

    text: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    words: Mapping[str, str] = field(default_factory=dict)


def ingest(board: Board, reply: Reply) -> Outcome:
    """What a reply to the open prompt brings. Facts out of scope are ignored and named; null is none."""
    prompt = board.open_prompt
    scope = prompt.scope if prompt else ()
    definition = board.flow.definition
    accepted: dict[str, FactValue] = {}
    ignored: list[str] = []
    # An explicit canonical name beats an alias of the same fact, whatever the order of the object.
    for name in sorted(reply.facts, key=lambda name: (name not in definition.aliases, name)):
        fact, value = definition.canonical(name), reply.facts[name]
        if value is None:
            continue
        if prompt is None or fact not in scope:
            ignored.append(fact)
            continue
        accepted[fact] = FactValue(value, "visitor", prompt.turn_index, prompt.node_id, reply.words.get(name))
    if prompt is None:
        return Outcome(board.turn, None, reply.text, ignored=tuple(sorted(set(ignored))))
    return Outcome(
        prompt.turn_index,
        prompt.node_id,
        reply.text,
        accepted,
        tuple(sorted(set(ignored))),
        _states_set(board, board.flow.node_index[prompt.node_id], accepted),
    )


def _states_set(board: Board, number: int, accepted: Mapping[str, FactValue]) -> tuple[str, ...]:
    """A node that asks sets its states on its own turn, once its objective holds (F3)."""
    flow = board.flow
    node = flow.nodes[number]
    new = node.states & ~board.states
    if not new:
        return ()
    facts = board.facts
    for name in accepted:
        facts |= 1 << flow.fact_index[name]
    gates = sum(1 << gate for gate in bits(node.gates or 0) if flow.gates[gate].holds(facts, board.states))
    executions = board.executions[number]
    if objective_holds(flow, number, facts=facts, gates=gates, executions=executions):
        return board.state_names(new)
    return ()
