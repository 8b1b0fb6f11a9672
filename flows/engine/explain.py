"""Why this node and why not that one: every failing rule of every node (F19), and reasons in words."""

from enum import StrEnum
from typing import Any

from .board import Board
from .eligibility import cooling, eligible
from .modes import attempt_limit
from .runtime import Status
from .steps import Decision, Reason


class Rule(StrEnum):
    EXEC_CAP = "EXEC_CAP"
    MISSING_GATES = "MISSING_GATES"
    MISSING_STATES = "MISSING_STATES"
    DONE = "DONE"
    SKIPPED = "SKIPPED"
    COOLING = "COOLING"


WhyNot = dict[str, list[dict[str, Any]]]

_WORDS = {
    Reason.FIRST_ATTEMPT: "first attempt",
    Reason.OBJECTIVE_MET: "its objective is met and nothing else is eligible",
    Reason.OBJECTIVE_UNMET: "objective not met after {attempts} of {limit} attempts",
    Reason.GRANTED: "an operator granted more attempts",
    Reason.EXHAUSTED: "{attempts} attempts did not meet the objective",
    Reason.CLARIFY: "one clarifying attempt is left",
    Reason.LOOP_GUARD: "selection {run} in a row of the same node",
    Reason.COOLDOWN_WAIVED: "cooldown waived because every eligible node is cooling",
    Reason.AFTER_SKIP: "after skipping {skipped}",
    Reason.POST_GOAL: "the goal is reached and this important node has not run yet",
}


def why_not(board: Board, decision: Decision) -> WhyNot:
    """Every node but the chosen one, with each rule it fails; an empty list means eligible but outranked."""
    turn, skipped = decision.turn_index, set(decision.skipped)
    resting = cooling(board, turn)
    if Reason.COOLDOWN_WAIVED in decision.codes or not eligible(board) & ~resting:
        resting &= ~eligible(board)
    answer: WhyNot = {}
    for number, node in enumerate(board.flow.nodes):
        if node.id == decision.node_id:
            continue
        failing = _failing(board, number)
        if node.id in skipped:
            failing.append({"rule": Rule.SKIPPED.value, "missing": []})
        if resting >> number & 1:
            failing.append({"rule": Rule.COOLING.value, "missing": []})
        answer[node.id] = failing
    return answer


def _failing(board: Board, number: int) -> list[dict[str, Any]]:
    node = board.flow.nodes[number]
    gates = board.gate_names(node.requires & ~board.gates)
    states = board.state_names(node.requires_states & ~board.states)
    checks = (
        (Rule.EXEC_CAP, board.capped >> number & 1, ()),
        (Rule.MISSING_GATES, gates, gates),
        (Rule.MISSING_STATES, states, states),
        (Rule.DONE, board.done >> number & 1, ()),
        (Rule.SKIPPED, board.skipped >> number & 1, ()),
    )
    return [{"rule": rule.value, "missing": list(missing)} for rule, fails, missing in checks if fails]


def reason(board: Board, decision: Decision) -> str:
    """A sentence for the log and the operator; `board` is the position the decision was taken in."""
    if decision.node_id is None:
        return {
            Status.COMPLETE: "the primary goal is satisfied",
            Status.DEADLOCK: "no node is eligible and the primary goal is not satisfied",
        }.get(decision.status, "waiting for an operator")
    number = board.flow.node_index[decision.node_id]
    run = board.run_length + 1 if board.run_node == number else 1
    granted_or_policy = attempt_limit(board, number) or board.flow.nodes[number].policy.max_attempts
    figures = {
        "attempts": board.attempts[number],
        "limit": granted_or_policy,
        "run": run,
        "skipped": ", ".join(decision.skipped),
    }
    because = "; ".join(_WORDS[code].format(**figures) for code in decision.codes)
    return f"{decision.mode} {decision.node_id}: {because}"
