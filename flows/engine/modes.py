"""How the chosen node speaks: first time, again, wider, or not at all (F4, F7, F8, F11)."""

from .board import Board
from .definition import OnExhaust
from .runtime import Mode
from .steps import Reason

Choice = tuple[Mode, tuple[Reason, ...]]

_FIRST: Choice = (Mode.EXECUTE, (Reason.FIRST_ATTEMPT,))
_REPEAT: Choice = (Mode.EXECUTE, (Reason.OBJECTIVE_MET,))
_RETRY: Choice = (Mode.RETRY, (Reason.OBJECTIVE_UNMET,))
_GRANTED: Choice = (Mode.RETRY, (Reason.OBJECTIVE_UNMET, Reason.GRANTED))
_CLARIFY: Choice = (Mode.RETRY, (Reason.EXHAUSTED, Reason.CLARIFY))
_BROADEN: Choice = (Mode.BROADEN, (Reason.EXHAUSTED,))
_HANDOFF: Choice = (Mode.HANDOFF, (Reason.EXHAUSTED,))
_SKIP: Choice = (Mode.SKIP, (Reason.EXHAUSTED,))
_GUARD_BROADEN: Choice = (Mode.BROADEN, (Reason.LOOP_GUARD,))
_GUARD_HANDOFF: Choice = (Mode.HANDOFF, (Reason.LOOP_GUARD,))


def determine_mode(board: Board, number: int) -> Choice:
    """Mode and reasons for a selected node, the loop guard included."""
    choice = _by_policy(board, number)
    run = board.run_length + 1 if board.run_node == number else 1
    if run >= board.consecutive_cap and choice[0] in (Mode.EXECUTE, Mode.RETRY):
        return _GUARD_BROADEN if _may_broaden(board, number) else _GUARD_HANDOFF
    return choice


def _by_policy(board: Board, number: int) -> Choice:
    attempts = board.attempts[number]
    if not attempts:
        return _FIRST
    if board.met >> number & 1:
        return _REPEAT
    if attempts < attempt_limit(board, number):
        return _GRANTED if number in board.grants else _RETRY
    exhausted = board.flow.nodes[number].policy.on_exhaust
    if exhausted is OnExhaust.CLARIFY and not board.clarified >> number & 1:
        return _CLARIFY
    if _may_broaden(board, number):
        return _BROADEN
    return _SKIP if exhausted is OnExhaust.SKIP else _HANDOFF


def attempt_limit(board: Board, number: int) -> int:
    """Attempts before the policy's end: as granted, else by policy, none left once broadened (F8)."""
    granted = board.grants.get(number)
    if granted is not None:
        return granted
    return 0 if board.broadened >> number & 1 else board.flow.nodes[number].policy.max_attempts


def _may_broaden(board: Board, number: int) -> bool:
    wants = board.flow.nodes[number].policy.on_exhaust is OnExhaust.BROADEN
    return wants and not board.broadened >> number & 1
