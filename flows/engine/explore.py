"""Which bad ends a visitor can reach, and the shortest dialogue to each: breadth first over abstract states.

An abstract state is a board without values, words and absolute turn numbers. From each, every subset of the facts that
were asked for and still matter is tried as the reply.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import chain, combinations
from typing import Any

from .board import Board, open_board
from .bounds import CONSECUTIVE_CAP
from .compiled import CompiledFlow
from .controller import decide
from .definition import FactSpec, FactType
from .explain import Rule, why_not
from .outcome import Reply
from .runner import fact_spec
from .runtime import Status
from .simulate import Line
from .turn import decisions, take_reply

MAX_STATES = 50_000
MAX_CELLS = 10_000_000
"""States times nodes: keeps the frontier of a huge flow within memory."""
MAX_BRANCHING_FACTS = 6
MAX_ENDINGS = 50
REPORT_EVERY = 500

Progress = Callable[[int, int], None]
"""Called with the states seen and the most there will be."""

_EXAMPLES = {
    FactType.TEXT: "something",
    FactType.EMAIL: "visitor@example.com",
    FactType.PHONE: "+31612345678",
    FactType.DATE: "2030-01-15",
    FactType.NUMBER: "3",
    FactType.QUANTITY: "3 kg",
    FactType.REGEX: "something",
}


@dataclass(frozen=True, slots=True)
class Ending:
    """A bad end: where it stands, what was missing, and the script that leads there."""

    status: Status
    node_id: str | None
    reason_codes: tuple[str, ...]
    missing: tuple[str, ...]
    script: tuple[Line, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "status": self.status.value,
            "nodeId": self.node_id,
            "reasonCodes": [str(code) for code in self.reason_codes],
            "missing": list(self.missing),
            "script": [line.to_json() for line in self.script],
        }


@dataclass(frozen=True, slots=True)
class Exploration:
    """`complete` is false when a cap left part of the flow unseen; `reaches_goal`, that some visitor got there."""

    states: int
    complete: bool
    reaches_goal: bool
    deadlocks: tuple[Ending, ...]
    handoffs: tuple[Ending, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "states": self.states,
            "complete": self.complete,
            "deadlocks": [ending.to_json() for ending in self.deadlocks],
            "handoffs": [ending.to_json() for ending in self.handoffs],
        }


@dataclass(slots=True)
class _Search:
    flow: CompiledFlow
    limit: int
    parents: list[tuple[int, tuple[str, ...]]] = field(default_factory=list)
    seen: set[tuple[Any, ...]] = field(default_factory=set)
    queue: deque[tuple[int, Board]] = field(default_factory=deque)
    endings: dict[tuple[Any, ...], Ending] = field(default_factory=dict)
    complete: bool = True
    reaches_goal: bool = False

    def arrive(self, board: Board, parent: int, facts: tuple[str, ...]) -> None:
        key = _key(board)
        if key in self.seen:
            return
        if len(self.parents) == self.limit:
            self.complete = False
            return
        self.seen.add(key)
        self.parents.append((parent, facts))
        number = len(self.parents) - 1
        if board.status in (Status.COMPLETE, Status.POST_GOAL):
            self.reaches_goal = True
        if board.status in (Status.OK, Status.POST_GOAL):
            self.queue.append((number, board))
        elif board.status is not Status.COMPLETE:
            self._end(board, number)

    def _end(self, board: Board, number: int) -> None:
        handoff = board.handoff
        node_id, codes = (handoff.node_id, handoff.reason_codes) if handoff else (None, ())
        missing = () if handoff else _missing(board)
        key = (board.status, node_id, codes, missing)
        if key not in self.endings and len(self.endings) < MAX_ENDINGS:
            self.endings[key] = Ending(board.status, node_id, codes, missing, self._script(number))

    def _script(self, number: int) -> tuple[Line, ...]:
        lines: list[Line] = []
        while number >= 0:
            number, names = self.parents[number]
            facts = {name: _example(fact_spec(self.flow, name)) for name in names}
            words = ", ".join(f"{name}: {value}" for name, value in facts.items())
            lines.append(Line(words or ("…" if number >= 0 else ""), facts))
        return tuple(reversed(lines))


def explore(
    flow: CompiledFlow,
    *,
    max_states: int = MAX_STATES,
    progress: Progress | None = None,
    consecutive_cap: int = CONSECUTIVE_CAP,
) -> Exploration:
    """Every reachable DEADLOCK and HANDOFF, each with a shortest dialogue."""
    limit = min(max_states, MAX_CELLS // max(1, len(flow.nodes)))
    relevant = _relevant_facts(flow)
    search = _Search(flow, limit)
    opening = open_board(flow, consecutive_cap=consecutive_cap)
    _play(opening, ())
    search.arrive(opening, -1, ())
    while search.queue and len(search.parents) < limit:
        number, board = search.queue.popleft()
        replies, all_tried = _replies(board, relevant)
        search.complete = search.complete and all_tried
        for facts in replies:
            following = board.copy()
            _play(following, facts)
            search.arrive(following, number, facts)
        if progress and number % REPORT_EVERY == 0:
            progress(len(search.parents), limit)
    endings = tuple(search.endings.values())
    return Exploration(
        states=len(search.parents),
        complete=search.complete and not search.queue and len(endings) < MAX_ENDINGS,
        reaches_goal=search.reaches_goal,
        deadlocks=tuple(ending for ending in endings if ending.status is Status.DEADLOCK),
        handoffs=tuple(ending for ending in endings if ending.status is Status.HANDOFF),
    )


def _play(board: Board, facts: Iterable[str]) -> None:
    take_reply(board, Reply("", dict.fromkeys(facts, "…")))
    for _ in decisions(board):
        pass
    board.log.clear()


def _replies(board: Board, relevant: set[str]) -> tuple[Iterator[tuple[str, ...]], bool]:
    """Subsets of the new facts that matter; beyond a handful only none, each alone and all."""
    scope = board.open_prompt.scope if board.open_prompt else ()
    new = [name for name in scope if name in relevant and name not in board.values]
    if len(new) <= MAX_BRANCHING_FACTS:
        return chain.from_iterable(combinations(new, size) for size in range(len(new) + 1)), True
    return chain(((),), ((name,) for name in new), (tuple(new),)), False


def _relevant_facts(flow: CompiledFlow) -> set[str]:
    """Facts that a gate or a node's objective looks at: the others change nothing."""
    names = {fact for gate in flow.definition.gates.values() for fact in gate.metrics}
    for node in flow.definition.nodes:
        if not node.gates:
            names.update(flow.definition.produced_by(node))
    return names


def _key(board: Board) -> tuple[Any, ...]:
    return (
        board.facts,
        board.states,
        tuple(board.attempts),
        tuple(board.executions),
        board.clarified,
        board.broadened,
        board.skipped,
        tuple(sorted((until - board.turn, mask) for until, mask in board.cooldowns.items() if until > board.turn)),
        board.run_node,
        board.run_length,
        (board.open_prompt.node_id, board.open_prompt.scope) if board.open_prompt else None,
        board.status,
    )


def _missing(board: Board) -> tuple[str, ...]:
    """The gates and states whose absence blocks the nodes of a deadlock."""
    blocked = (Rule.MISSING_GATES, Rule.MISSING_STATES)
    failing = why_not(board, decide(board)).values()
    return tuple(
        sorted({name for rules in failing for rule in rules if rule["rule"] in blocked for name in rule["missing"]})
    )


def _example(spec: FactSpec) -> str:
    return spec.choices[0] if spec.choices else _EXAMPLES[spec.type]
