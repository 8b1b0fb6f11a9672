"""Who may speak: the rules of seed 001 as masks that are refreshed only for the nodes a change concerns."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from .compiled import CompiledFlow

if TYPE_CHECKING:
    from .board import Board


def objective_holds(flow: CompiledFlow, number: int, *, facts: int, gates: int, executions: int) -> bool:
    """F2: the declared gates if any, else the facts it produces, else that it ran and so set its states."""
    node = flow.nodes[number]
    if node.gates:
        return not node.gates & ~gates
    if node.produces:
        return not node.produces & ~facts
    return executions > 0


def refresh(board: "Board", numbers: Iterable[int]) -> None:
    """Bring the masks `blocked`, `done`, `capped` and `met` up to date for some nodes."""
    flow, gates, states = board.flow, board.gates, board.states
    for number in numbers:
        node, executions, bit = flow.nodes[number], board.executions[number], 1 << number
        blocked = node.requires & ~gates or node.requires_states & ~states
        declared = node.gates
        done = declared is not None and not declared & ~gates and (executions > 0 or node.source.skip_if_satisfied)
        met = objective_holds(flow, number, facts=board.facts, gates=gates, executions=executions)
        board.blocked = board.blocked | bit if blocked else board.blocked & ~bit
        board.done = board.done | bit if done else board.done & ~bit
        board.capped = board.capped | bit if executions >= node.cap else board.capped & ~bit
        board.met = board.met | bit if met else board.met & ~bit


def eligible(board: "Board") -> int:
    """Rules 1 to 4 and SKIPPED; cooling is a matter of candidates, not of eligibility (F12)."""
    return board.flow.everyone & ~(board.blocked | board.done | board.capped | board.skipped)


def cooling(board: "Board", turn: int) -> int:
    """Nodes attempted too recently to be candidates at `turn` (F12)."""
    mask = 0
    for last_turn, nodes in board.cooldowns.items():
        if turn <= last_turn:
            mask |= nodes
    return mask
