"""The doors of the engine: one inbound message, one operator act. Pure: state in, new state out."""

from collections.abc import Iterable
from typing import NamedTuple

from .answers import Answer, Spoken
from .apply import apply, next_prompt
from .board import Board, open_board
from .bounds import CONSECUTIVE_CAP
from .compiled import CompiledFlow
from .controller import decide
from .definition import FactSpec
from .explain import WhyNot, reason, why_not
from .fact_names import spec_by_name
from .outcome import Reply
from .runtime import Mode, RuntimeState
from .steps import Decision, OperatorAct, Outcome, Step
from .turn import decisions, rests, take_reply


class UnknownNode(Exception):
    """An operator named a node that the flow does not have."""

    code = "unknown_node"

    def __init__(self, node_ids: Iterable[str]) -> None:
        self.node_ids = tuple(node_ids)
        super().__init__(f"no such node: {', '.join(self.node_ids)}")


class Wanted(NamedTuple):
    """A fact the open prompt asks for, with what is declared about it."""

    name: str
    spec: FactSpec


class Advanced(NamedTuple):
    """The new state, the answer, and the steps whose fold over the old state is the new one."""

    state: RuntimeState
    answer: Answer
    steps: tuple[Step, ...]


class FactsChanged(NamedTuple):
    state: RuntimeState
    gates_gained: tuple[str, ...]
    gates_lost: tuple[str, ...]
    step: OperatorAct


def wanted_facts(flow: CompiledFlow, state: RuntimeState | None) -> tuple[Wanted, ...]:
    """What to look for in the next reply: the open prompt's scope; empty when nothing was asked."""
    if state is None or state.open_prompt is None:
        return ()
    return tuple(Wanted(name, fact_spec(flow, name)) for name in state.open_prompt.scope)


def fact_spec(flow: CompiledFlow, name: str) -> FactSpec:
    """What is declared about a canonical fact, under its own name or an alias of it; else what its name says."""
    declared = flow.definition.facts
    names = (name, *(raw for raw, target in flow.definition.aliases.items() if target == name))
    return next((declared[each] for each in names if each in declared), None) or spec_by_name(names)


def advance(
    flow: CompiledFlow,
    state: RuntimeState | None,
    reply: Reply,
    *,
    consecutive_cap: int = CONSECUTIVE_CAP,
) -> Advanced:
    """One inbound message: ingest it as the answer to the open prompt, then decide on (F20)."""
    board = open_board(flow, state, consecutive_cap=consecutive_cap)
    states_before = board.states
    return _decide_on(board, take_reply(board, reply), states_before)


def resume(
    flow: CompiledFlow, state: RuntimeState, act: OperatorAct, *, consecutive_cap: int = CONSECUTIVE_CAP
) -> Advanced:
    """An operator returns the conversation to the flow (F9): the act happens and the flow decides at once."""
    board = open_board(flow, state, consecutive_cap=consecutive_cap)
    act = _checked(flow, act, resumes=True)
    apply(act, board)
    return _decide_on(board, act, board.states)


def change_facts(flow: CompiledFlow, state: RuntimeState, act: OperatorAct) -> FactsChanged:
    """An operator's hand without a turn; the next decision logs the gates lost (F15)."""
    board = open_board(flow, state)
    act = _checked(flow, act, resumes=False)
    before = board.gates
    apply(act, board)
    gained, lost = board.gates & ~before, before & ~board.gates
    return FactsChanged(board.snapshot(), board.gate_names(gained), board.gate_names(lost), act)


def _checked(flow: CompiledFlow, act: OperatorAct, *, resumes: bool) -> OperatorAct:
    """The act with canonical fact names; null is no fact, as in a reply. Raises for nodes that do not exist."""
    strangers = [node_id for node_id in (*act.skip, *act.grant) if node_id not in flow.node_index]
    if strangers:
        raise UnknownNode(strangers)
    canonical = flow.definition.canonical
    return OperatorAct(
        {canonical(name): value for name, value in act.set_facts.items() if value is not None},
        tuple(map(canonical, act.remove_facts)),
        act.skip,
        act.grant,
        resumes,
    )


def _decide_on(board: Board, first: Outcome | OperatorAct | None, states_before: int) -> Advanced:
    steps: list[Step] = [first] if first else []
    gates_lost = board.gate_names(board.gates_lost)
    spoken: list[Spoken] = []
    refusals: WhyNot | None = None
    for decision in decisions(board):
        steps.append(decision)
        if decision.node_id is not None:
            spoken.append(_spoken(board, decision, decision.node_id))
        if rests(board, decision):
            refusals = why_not(board, decision)
    outcome = first if isinstance(first, Outcome) else None
    answer = Answer(
        spoken=tuple(spoken),
        status=board.status,
        facts_produced=tuple(sorted(outcome.facts)) if outcome else (),
        facts_ignored=outcome.ignored if outcome else (),
        states_produced=board.state_names(board.states & ~states_before),
        gates_lost=gates_lost,
        gates_satisfied=board.gate_names(board.gates),
        quick_replies=_quick_replies(board),
        why_not=why_not(board, decide(board)) if refusals is None else refusals,
    )
    return Advanced(board.snapshot(), answer, tuple(steps))


def _spoken(board: Board, decision: Decision, node_id: str) -> Spoken:
    number = board.flow.node_index[node_id]
    prompt = None if decision.mode is Mode.HANDOFF else next_prompt(board, number)
    return Spoken(decision, reason(board, decision), prompt)


def _quick_replies(board: Board) -> tuple[str, ...]:
    """The choices of the facts now asked for, to be offered as buttons."""
    scope = board.open_prompt.scope if board.open_prompt else ()
    return tuple(choice for name in scope for choice in fact_spec(board.flow, name).choices)
