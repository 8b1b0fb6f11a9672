"""One conversation laid out on its compiled flow: the working form of `RuntimeState`.

A board is private to one call: opened from a state, moved by `apply`, snapshotted back. The masks derived
from the rest (`gates`, `blocked`, `done`, `capped`, `met`) are refreshed by each change: deciding only reads.
"""

from collections.abc import Iterable, Mapping
from copy import copy as shallow_copy
from dataclasses import dataclass, field
from itertools import chain

from .bounds import CONSECUTIVE_CAP
from .compiled import CompiledFlow, bits
from .eligibility import refresh
from .gates import evaluate, reevaluate
from .runtime import FactValue, Handoff, OpenPrompt, RuntimeState, Status, TurnEntry

NOBODY = -1


@dataclass(slots=True)
class Board:
    flow: CompiledFlow
    consecutive_cap: int = CONSECUTIVE_CAP
    values: dict[str, FactValue] = field(default_factory=dict)
    facts: int = 0
    states: int = 0
    foreign_states: frozenset[str] = frozenset()
    gates: int = 0
    gates_lost: int = 0
    attempts: list[int] = field(default_factory=list)
    executions: list[int] = field(default_factory=list)
    by_attempts: list[int] = field(default_factory=list)
    last_attempt: dict[int, int] = field(default_factory=dict)
    cooldowns: dict[int, int] = field(default_factory=dict)
    clarified: int = 0
    broadened: int = 0
    skipped: int = 0
    grants: dict[int, int] = field(default_factory=dict)
    turn: int = 0
    status: Status = Status.OK
    run_node: int = NOBODY
    run_length: int = 0
    open_prompt: OpenPrompt | None = None
    handoff: Handoff | None = None
    log: list[TurnEntry] = field(default_factory=list)
    blocked: int = 0
    done: int = 0
    capped: int = 0
    met: int = 0

    def copy(self) -> "Board":
        """An independent board in the same position."""
        twin = shallow_copy(self)
        twin.values, twin.grants = dict(self.values), dict(self.grants)
        twin.attempts, twin.executions = list(self.attempts), list(self.executions)
        twin.by_attempts, twin.log = list(self.by_attempts), list(self.log)
        twin.last_attempt, twin.cooldowns = dict(self.last_attempt), dict(self.cooldowns)
        return twin

    def count_attempt(self, number: int) -> None:
        """Raise a node's attempts and start its cooldown at the current turn."""
        before, bit = self.attempts[number], 1 << number
        self.attempts[number] = before + 1
        self.by_attempts[before] ^= bit
        if before + 1 == len(self.by_attempts):
            self.by_attempts.append(0)
        self.by_attempts[before + 1] |= bit
        self.last_attempt[number] = self.turn
        for until in [until for until in self.cooldowns if until <= self.turn]:
            del self.cooldowns[until]
        self._cool(number)

    def _cool(self, number: int) -> None:
        pause = self.flow.nodes[number].policy.cooldown_turns
        until = self.last_attempt[number] + pause
        if until > self.turn:
            self.cooldowns[until] = self.cooldowns.get(until, 0) | 1 << number

    def count_execution(self, number: int) -> None:
        """Raise a node's executions."""
        self.executions[number] += 1
        refresh(self, (number,))

    def set_facts(self, values: Mapping[str, FactValue]) -> None:
        """Add or overwrite canonical facts."""
        self.values.update(values)
        self._change(facts=self._fact_mask(values) & ~self.facts)

    def remove_facts(self, names: Iterable[str]) -> None:
        """Forget facts; gates that close are remembered for the next decision's log (F15)."""
        gone = [name for name in names if self.values.pop(name, None) is not None]
        self._change(facts=self._fact_mask(gone))

    def add_states(self, mask: int) -> None:
        """Set flow states."""
        self._change(states=mask & ~self.states)

    def _fact_mask(self, names: Iterable[str]) -> int:
        index = self.flow.fact_index
        return sum(1 << index[name] for name in names if name in index)

    def _change(self, facts: int = 0, states: int = 0) -> None:
        """Toggle bits, then look again only at the gates and nodes that watch them."""
        self.facts ^= facts
        self.states ^= states
        watchers, before = self.flow.watchers, self.gates
        touched = {number for bit in bits(facts) for number in watchers.gates_by_fact[bit]}
        touched.update(number for bit in bits(states) for number in watchers.gates_by_state[bit])
        changed = reevaluate(self, touched)
        self.gates_lost = (self.gates_lost | before) & ~self.gates
        nodes = {number for bit in bits(changed) for number in watchers.nodes_by_gate[bit]}
        nodes.update(number for bit in bits(facts) for number in watchers.nodes_by_fact[bit])
        nodes.update(number for bit in bits(states) for number in watchers.nodes_by_state[bit])
        refresh(self, nodes)

    def gate_names(self, mask: int) -> tuple[str, ...]:
        return tuple(sorted(self.flow.gates[number].name for number in bits(mask)))

    def state_names(self, mask: int) -> tuple[str, ...]:
        return tuple(sorted(self.flow.state_names[number] for number in bits(mask)))

    def snapshot(self) -> RuntimeState:
        """The position as a frozen, storable value."""
        ids = [node.id for node in self.flow.nodes]
        return RuntimeState(
            facts=dict(self.values),
            states=frozenset(self.state_names(self.states)) | self.foreign_states,
            gates_satisfied=frozenset(self.gate_names(self.gates)),
            attempts={ids[number]: count for number, count in enumerate(self.attempts) if count},
            executions={ids[number]: count for number, count in enumerate(self.executions) if count},
            last_attempt={ids[number]: turn for number, turn in sorted(self.last_attempt.items())},
            clarified=frozenset(ids[number] for number in bits(self.clarified)),
            broadened=frozenset(ids[number] for number in bits(self.broadened)),
            skipped=frozenset(ids[number] for number in bits(self.skipped)),
            grants={ids[number]: limit for number, limit in sorted(self.grants.items())},
            gates_lost=frozenset(self.gate_names(self.gates_lost)),
            turn_index=self.turn,
            status=self.status,
            run_node=None if self.run_node == NOBODY else ids[self.run_node],
            run_length=self.run_length,
            open_prompt=self.open_prompt,
            handoff=self.handoff,
            turn_log=tuple(self.log),
        )


def open_board(
    flow: CompiledFlow, state: RuntimeState | None = None, *, consecutive_cap: int = CONSECUTIVE_CAP
) -> Board:
    """Lay a stored state (or a fresh conversation) out on its flow; every mask is computed anew."""
    state = state or RuntimeState()
    index = flow.node_index
    board = Board(
        flow=flow,
        consecutive_cap=consecutive_cap,
        values=dict(state.facts),
        states=sum(1 << flow.state_index[name] for name in state.states if name in flow.state_index),
        foreign_states=frozenset(name for name in state.states if name not in flow.state_index),
        attempts=[state.attempts.get(node.id, 0) for node in flow.nodes],
        executions=[state.executions.get(node.id, 0) for node in flow.nodes],
        last_attempt={index[name]: turn for name, turn in state.last_attempt.items()},
        clarified=sum(1 << index[name] for name in state.clarified),
        broadened=sum(1 << index[name] for name in state.broadened),
        skipped=sum(1 << index[name] for name in state.skipped),
        grants={index[name]: limit for name, limit in state.grants.items()},
        turn=state.turn_index,
        status=state.status,
        run_node=NOBODY if state.run_node is None else index[state.run_node],
        run_length=state.run_length,
        open_prompt=state.open_prompt,
        handoff=state.handoff,
        log=list(state.turn_log),
    )
    board.facts = board._fact_mask(board.values)
    board.gates = evaluate(flow, board.facts, board.states)
    lost = state.gates_lost | (state.gates_satisfied - set(board.gate_names(board.gates)))
    board.gates_lost = sum(1 << flow.gate_index[name] for name in lost if name in flow.gate_index)
    board.gates_lost &= ~board.gates
    board.by_attempts = [0] * (max(chain(board.attempts, (0,))) + 1)
    for number, count in enumerate(board.attempts):
        board.by_attempts[count] |= 1 << number
    for number in board.last_attempt:
        board._cool(number)
    refresh(board, range(len(flow.nodes)))
    return board
