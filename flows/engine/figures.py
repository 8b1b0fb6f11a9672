"""The figures seed 001 lists, per conversation and per flow, with the denominators of F22."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from .runtime import Mode, Status, TurnEntry

_ATTEMPTS = (Mode.EXECUTE, Mode.RETRY, Mode.BROADEN)


@dataclass(frozen=True, slots=True)
class ConversationFigures:
    """`gates` is the timeline: the turn at which each gate was first satisfied."""

    turns: int
    executed: int
    retried: int
    attempts_by_node: dict[str, int]
    gates: dict[str, int]
    handoffs: int


@dataclass(frozen=True, slots=True)
class Run:
    """One conversation as the flow's figures see it."""

    status: Status
    closed: bool
    log: Sequence[TurnEntry]


@dataclass(frozen=True, slots=True)
class FlowFigures:
    """Rates are None where nothing happened yet: no conversation is not a rate of zero."""

    started: int
    closed: int
    completion_rate: Fraction | None
    handoff_rate: Fraction | None
    deadlocks: int
    average_turns: Fraction | None
    attempts_per_node: dict[str, Fraction]
    retries_by_node: dict[str, int]
    handoffs_by_node: dict[str, int]
    gates_satisfied: dict[str, int]


def conversation_figures(log: Iterable[TurnEntry]) -> ConversationFigures:
    """Count one turn log; SKIP lines are no turns (F10)."""
    lines = list(log)
    turns = [entry for entry in lines if entry.mode is not Mode.SKIP]
    modes = Counter(entry.mode for entry in turns)
    gates: dict[str, int] = {}
    for entry in lines:
        for gate in entry.gates_gained:
            gates.setdefault(gate, entry.turn_index)
    return ConversationFigures(
        turns=len(turns),
        executed=modes[Mode.EXECUTE],
        retried=modes[Mode.RETRY],
        attempts_by_node=dict(Counter(entry.node_id for entry in turns if entry.mode in _ATTEMPTS)),
        gates=gates,
        handoffs=modes[Mode.HANDOFF],
    )


def flow_figures(runs: Sequence[Run]) -> FlowFigures:
    """F22: completion over closed, handoff over started, attempts over the conversations that tried the node."""
    figures = [conversation_figures(run.log) for run in runs]
    closed = sum(run.closed for run in runs)
    complete = sum(run.closed and run.status is Status.COMPLETE for run in runs)
    attempts: Counter[str] = Counter()
    tried: Counter[str] = Counter()
    for each in figures:
        attempts.update(each.attempts_by_node)
        tried.update(each.attempts_by_node.keys())
    entries = [entry for run in runs for entry in run.log]
    return FlowFigures(
        started=len(runs),
        closed=closed,
        completion_rate=_rate(complete, closed),
        handoff_rate=_rate(sum(each.handoffs > 0 for each in figures), len(runs)),
        deadlocks=sum(run.status is Status.DEADLOCK for run in runs),
        average_turns=_rate(sum(each.turns for each in figures), len(runs)),
        attempts_per_node={node: Fraction(count, tried[node]) for node, count in attempts.items()},
        retries_by_node=dict(Counter(entry.node_id for entry in entries if entry.mode is Mode.RETRY)),
        handoffs_by_node=dict(Counter(entry.node_id for entry in entries if entry.mode is Mode.HANDOFF)),
        gates_satisfied=dict(Counter(gate for each in figures for gate in each.gates)),
    )


def _rate(part: int, whole: int) -> Fraction | None:
    return Fraction(part, whole) if whole else None
