"""The board's side of one inbound message: ingest, then decide until a reply is needed (F20)."""

from collections.abc import Iterator

from .apply import apply
from .board import Board
from .controller import decide
from .outcome import Reply, ingest
from .runtime import Mode
from .steps import Decision, Outcome


def take_reply(board: Board, reply: Reply) -> Outcome | None:
    """Ingest a message; None when nothing was asked and nothing was offered."""
    if board.open_prompt is None and not reply.facts:
        return None
    outcome = ingest(board, reply)
    apply(outcome, board)
    return outcome


def decisions(board: Board) -> Iterator[Decision]:
    """Decide on, at most N times; each is yielded *before* it happens, so that it can be explained."""
    for _ in board.flow.nodes:
        decision = decide(board)
        yield decision
        apply(decision, board)
        if rests(board, decision):
            return
    decision = decide(board)
    if decision.node_id is None:
        yield decision
        apply(decision, board)


def rests(board: Board, decision: Decision) -> bool:
    """Whether the flow now waits: it ended, a human is asked, or the node wants a reply."""
    if decision.node_id is None or decision.mode is Mode.HANDOFF:
        return True
    return board.flow.nodes[board.flow.node_index[decision.node_id]].produces != 0
