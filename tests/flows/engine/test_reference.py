"""The compiled engine and the literal reference are the same machine."""

from hypothesis import given, settings
from hypothesis import strategies as st

from flows.engine.apply import fold
from flows.engine.board import open_board
from flows.engine.compiled import load
from flows.engine.controller import decide
from flows.engine.outcome import Reply
from flows.engine.runner import advance, resume
from flows.engine.runtime import RuntimeState
from flows.engine.steps import Decision, OperatorAct, step_from_json
from tests.flows.engine.reference import Reference
from tests.flows.engine.strategies import FACTS, flows, replies

operator_acts = st.fixed_dictionaries(
    {
        "facts": st.dictionaries(st.sampled_from(FACTS), st.just("x"), max_size=1),
        "remove": st.lists(st.sampled_from(FACTS), max_size=1),
        "skip": st.lists(st.integers(0, 4), max_size=1),
        "grant": st.dictionaries(st.integers(0, 4), st.integers(1, 3), max_size=1),
    }
)


def assert_same(state, reference):
    assert state.status == reference.status
    assert set(state.facts) == set(reference.facts)
    assert state.states == reference.states
    assert state.gates_satisfied == reference.gates
    assert state.attempts == reference.attempts
    assert state.executions == reference.executions
    assert state.last_attempt == reference.last_turn
    assert (state.clarified, state.broadened) == (reference.clarified, reference.broadened)
    assert state.skipped == reference.skipped
    assert state.turn_index == reference.turn
    assert (state.open_prompt.node_id if state.open_prompt else None) == (
        reference.open[0]["id"] if reference.open else None
    )


def made(advanced):
    return [(s.decision.turn_index, s.decision.node_id, s.decision.mode) for s in advanced.answer.spoken]


@settings(max_examples=400, deadline=None)
@given(flow=flows(), visitor=replies, cap=st.sampled_from([3, 10]))
def test_reference_and_compiled_engine_agree_on_every_message(flow, visitor, cap):
    compiled, reference, state = load(flow), Reference(flow, cap), None
    for facts in visitor:
        advanced = advance(compiled, state, Reply("", facts), consecutive_cap=cap)
        decisions, ignored = reference.message(facts)
        assert made(advanced) == decisions
        assert set(advanced.answer.facts_ignored) == ignored
        assert_same(advanced.state, reference)
        state = RuntimeState.from_json(advanced.state.without_log().to_json())


@settings(max_examples=200, deadline=None)
@given(flow=flows(), visitor=replies, acts=st.lists(operator_acts, min_size=1, max_size=4))
def test_reference_and_compiled_engine_agree_after_operators_resume(flow, visitor, acts):
    compiled, reference, state = load(flow), Reference(flow), None
    ids = [node["id"] for node in flow["nodes"]]
    pending = list(acts)
    for facts in visitor:
        advanced = advance(compiled, state, Reply("", facts))
        assert made(advanced) == reference.message(facts)[0]
        state = advanced.state
        if state.status in ("HANDOFF", "DEADLOCK") and pending:
            act = pending.pop()
            skip = [ids[number % len(ids)] for number in act["skip"]]
            grant = {ids[number % len(ids)]: extra for number, extra in act["grant"].items()}
            advanced = resume(compiled, state, OperatorAct(act["facts"], tuple(act["remove"]), tuple(skip), grant))
            assert made(advanced) == reference.resume(act["facts"], act["remove"], skip, grant)
            state = advanced.state
        assert_same(state, reference)


@settings(max_examples=150, deadline=None)
@given(flow=flows(), visitor=replies)
def test_recorded_steps_fold_to_the_same_state_and_are_decided_again_alike(flow, visitor):
    compiled, state, steps = load(flow), None, []
    for facts in visitor:
        advanced = advance(compiled, state, Reply("words", facts))
        state = advanced.state
        steps += [step_from_json(step.to_json()) for step in advanced.steps]
    assert fold(compiled, steps) == state
    for place, step in enumerate(steps):
        if isinstance(step, Decision):
            position = open_board(compiled, fold(compiled, steps[:place]))
            assert decide(position) == step


@settings(max_examples=150, deadline=None)
@given(flow=flows(), visitor=replies)
def test_why_not_names_exactly_the_rules_the_reference_finds_failing(flow, visitor):
    compiled, reference, state = load(flow), Reference(flow), None
    for facts in visitor:
        advanced = advance(compiled, state, Reply("", facts))
        reference.message(facts)
        state = advanced.state
        if not advanced.answer.spoken:
            for node in flow["nodes"]:
                rules = {entry["rule"] for entry in advanced.answer.why_not[node["id"]]} - {"COOLING"}
                assert rules == reference.failing_rules(node)
