"""Which gates are open, kept up to date when facts or flow states change (F15)."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from .compiled import CompiledFlow

if TYPE_CHECKING:
    from .board import Board


def evaluate(flow: CompiledFlow, facts: int, states: int) -> int:
    """The mask of all gates satisfied by these facts and states."""
    return sum(1 << number for number, gate in enumerate(flow.gates) if gate.holds(facts, states))


def reevaluate(board: "Board", numbers: Iterable[int]) -> int:
    """Look at some gates again; returns the mask of those that changed."""
    changed = 0
    for number in numbers:
        bit = 1 << number
        if board.flow.gates[number].holds(board.facts, board.states) != bool(board.gates & bit):
            changed |= bit
    board.gates ^= changed
    return changed
