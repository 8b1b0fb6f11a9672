"""Decide: same board, same decision. Reads a handful of masks, never the log (F10, F12, F13, F18)."""

from .board import Board
from .eligibility import cooling, eligible
from .modes import determine_mode
from .runtime import Mode, Status
from .steps import Decision, Reason

# Python 3.11 looks an enumeration's member up at each use, which costs as much as the rest of a decision.
_OK, _HANDED_OFF = Status.OK, Status.HANDOFF
_SKIP, _HANDOFF = Mode.SKIP, Mode.HANDOFF


def decide(board: Board) -> Decision:
    """The next decision of a conversation, without making it: `apply` does."""
    turn, flow = board.turn + 1, board.flow
    if board.handoff is not None:
        return Decision(turn, Status.HANDOFF)
    if board.gates & flow.goal_gate or board.states & flow.goal_state:
        return _after_goal(board, turn)
    remaining = eligible(board)
    resting = cooling(board, turn) if board.cooldowns else 0
    skipped: tuple[str, ...] = ()
    while remaining:
        candidates = remaining & ~resting
        number = preferred(board, candidates or remaining)
        mode, codes = determine_mode(board, number)
        node_id = flow.nodes[number].id
        if mode is _SKIP:
            skipped = (*skipped, node_id)
            remaining &= ~(1 << number)
            continue
        if not candidates:
            codes = (*codes, Reason.COOLDOWN_WAIVED)
        if skipped:
            codes = (*codes, Reason.AFTER_SKIP)
        status = _HANDED_OFF if mode is _HANDOFF else _OK
        return Decision(turn, status, node_id, mode, codes, skipped)
    return Decision(turn, Status.DEADLOCK, skipped=skipped)


def _after_goal(board: Board, turn: int) -> Decision:
    if board.flow.post_goal:
        high = board.flow.by_importance[0]
        never_ran = board.by_attempts[0]
        candidates = eligible(board) & high & never_ran
        if candidates:
            node_id = board.flow.nodes[preferred(board, candidates)].id
            return Decision(turn, Status.POST_GOAL, node_id, Mode.EXECUTE, (Reason.POST_GOAL,))
    return Decision(turn, Status.COMPLETE)


def preferred(board: Board, candidates: int) -> int:
    """F13: objective-met last, then importance (0 once broadened), then fewest attempts, then position."""
    by_attempts = board.by_attempts
    pool = candidates & (by_attempts[0] | ~board.met) or candidates
    unbroadened = pool & ~board.broadened
    for importance in board.flow.by_importance:
        ranked = unbroadened & importance
        if ranked:
            pool = ranked
            break
    for tried in by_attempts:
        least = pool & tried
        if least:
            return (least & -least).bit_length() - 1
    raise ValueError("no candidates to choose from")
