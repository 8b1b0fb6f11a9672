"""Move a board by one step. Recorded steps, applied in order, rebuild the state they made."""

from collections.abc import Iterable
from dataclasses import replace
from functools import singledispatch

from .board import NOBODY, Board, open_board
from .compiled import CompiledFlow, bits
from .eligibility import eligible
from .modes import attempt_limit
from .prompts import Prompt, choose_prompt
from .runtime import FactValue, Handoff, Mode, OpenPrompt, RuntimeState, Status, TurnEntry
from .steps import Decision, OperatorAct, Outcome, Reason, Step


@singledispatch
def apply(step: Step, board: Board) -> None:
    """Make a step happen on a board."""
    raise TypeError(f"not a step: {step!r}")


def fold(flow: CompiledFlow, steps: Iterable[Step], state: RuntimeState | None = None) -> RuntimeState:
    """The state that recorded steps lead to."""
    board = open_board(flow, state)
    for step in steps:
        apply(step, board)
    return board.snapshot()


@apply.register
def _decision(step: Decision, board: Board) -> None:
    for node_id in step.skipped:
        board.skipped |= 1 << board.flow.node_index[node_id]
        board.log.append(TurnEntry(step.turn_index, node_id, Mode.SKIP, (Reason.EXHAUSTED,)))
    board.status = step.status
    if step.node_id is None or step.mode is None:
        return
    number = board.flow.node_index[step.node_id]
    gates, states, lost = board.gates, board.states, board.gates_lost
    scope = scope_of(board, number, step.mode)
    said = None
    board.turn = step.turn_index
    board.run_length = board.run_length + 1 if board.run_node == number else 1
    board.run_node = number
    board.gates_lost = 0
    if step.mode is Mode.HANDOFF:
        board.handoff = Handoff(step.turn_index, step.node_id, step.codes)
        board.open_prompt = None
        board.add_states(board.flow.handoff_state)
    else:
        said = next_prompt(board, number)
        _speak(board, number, step)
        asks = board.flow.nodes[number].produces
        board.open_prompt = OpenPrompt(step.turn_index, step.node_id, scope) if asks else None
    entry = TurnEntry(
        step.turn_index,
        step.node_id,
        step.mode,
        step.codes,
        states_produced=board.state_names(board.states & ~states),
        gates_gained=board.gate_names(board.gates & ~gates),
        gates_lost=board.gate_names(lost),
        llm_response=said.text if said else None,
    )
    board.log.append(entry)


def _speak(board: Board, number: int, step: Decision) -> None:
    """Counters move at the decision, before the reply (F4)."""
    node, bit = board.flow.nodes[number], 1 << number
    board.count_attempt(number)
    if step.mode is Mode.EXECUTE:
        board.count_execution(number)
        if not node.produces:
            board.add_states(node.states)
    elif step.mode is Mode.BROADEN:
        board.broadened |= bit
    elif Reason.CLARIFY in step.codes:
        board.clarified |= bit


def next_prompt(board: Board, number: int) -> Prompt | None:
    """The words a node would use if it spoke now, by the attempts made so far (F14)."""
    node = board.flow.nodes[number]
    return choose_prompt(node.source, node.policy.prompt_variant_strategy, board.attempts[number])


def scope_of(board: Board, number: int, mode: Mode) -> tuple[str, ...]:
    """Canonical facts the reply may produce: the node's own, or everyone's who is eligible now (F8)."""
    numbers = bits(eligible(board)) if mode is Mode.BROADEN else (number,)
    produced = board.flow.definition.produced_by
    return tuple(dict.fromkeys(fact for each in numbers for fact in produced(board.flow.nodes[each].source)))


@apply.register
def _outcome(step: Outcome, board: Board) -> None:
    gates, states = board.gates, board.states
    board.set_facts(step.facts)
    board.add_states(sum(1 << board.flow.state_index[name] for name in step.states))
    board.open_prompt = None
    if step.node_id is not None and board.log and board.log[-1].turn_index == step.turn_index:
        asked = board.log[-1]
        board.log[-1] = replace(
            asked,
            user_input=step.text,
            facts_produced=tuple(sorted(step.facts)),
            facts_ignored=step.ignored,
            states_produced=asked.states_produced + board.state_names(board.states & ~states),
            gates_gained=asked.gates_gained + board.gate_names(board.gates & ~gates),
        )


@apply.register
def _operator(step: OperatorAct, board: Board) -> None:
    gates = board.gates
    board.set_facts({name: FactValue(value, "operator", board.turn) for name, value in step.set_facts.items()})
    board.remove_facts(step.remove_facts)
    if board.log and board.gates & ~gates:  # the timeline of gates knows them at the turn they were opened after
        gained = board.log[-1].gates_gained + board.gate_names(board.gates & ~gates)
        board.log[-1] = replace(board.log[-1], gates_gained=gained)
    for node_id in step.skip:
        board.skipped |= 1 << board.flow.node_index[node_id]
    for node_id, extra in step.grant.items():
        number = board.flow.node_index[node_id]
        board.grants[number] = max(attempt_limit(board, number), board.attempts[number]) + extra
    if step.resumes:
        board.handoff = None
        board.open_prompt = None
        board.status = Status.OK
        board.run_node, board.run_length = NOBODY, 0
