"""The happy path: the nodes asked when a visitor answers everything at once."""

from typing import NamedTuple

from .board import open_board
from .compiled import CompiledFlow
from .outcome import Reply
from .runtime import Status
from .turn import decisions, take_reply


class HappyPath(NamedTuple):
    node_ids: tuple[str, ...]
    status: Status


def happy_path(flow: CompiledFlow) -> HappyPath:
    """Play the cooperative visitor until the flow ends, or has said more than any sensible one would.

    What is bounded is what the flow says, not how often the visitor speaks: nodes that only tell may come round and
    round within one message.
    """
    board = open_board(flow)
    asked: list[str] = []
    facts: dict[str, str] = {}
    while len(asked) < board.consecutive_cap * (len(flow.nodes) + 1):
        take_reply(board, Reply("", facts))
        asked += [decision.node_id for decision in decisions(board) if decision.node_id]
        if board.status not in (Status.OK, Status.POST_GOAL):
            break
        facts = dict.fromkeys(board.open_prompt.scope, "…") if board.open_prompt else {}
    return HappyPath(tuple(asked), board.status)
