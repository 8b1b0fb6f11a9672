"""What must hold for any flow whatsoever."""

from dataclasses import replace

from hypothesis import assume, given, settings
from hypothesis import strategies as st

from flows.engine.board import open_board
from flows.engine.bounds import turn_bound
from flows.engine.checks.closure import Closure
from flows.engine.compiled import compile_flow, load
from flows.engine.findings import Code, Level
from flows.engine.outcome import Reply
from flows.engine.parsing import parse
from flows.engine.runner import advance
from flows.engine.runtime import RuntimeState
from flows.engine.turn import decisions, take_reply
from flows.engine.validation import validate
from tests.flows.engine.strategies import flows, replies


@settings(max_examples=300, deadline=None)
@given(flow=flows(), visitor=replies)
def test_the_turn_bound_is_never_exceeded(flow, visitor):
    flow["nodes"] = [{"runPolicy": {"maxExecutions": 2}, **node} for node in flow["nodes"]]
    compiled, bound, state = load(flow), turn_bound(parse(flow).definition), None
    for facts in visitor * 2:
        state = advance(compiled, state, Reply("", facts)).state
        assert state.turn_index <= bound


@settings(max_examples=150, deadline=None)
@given(flow=flows(), visitor=replies, shuffle=st.randoms(use_true_random=False))
def test_shuffled_storage_gives_the_same_conversation(flow, visitor, shuffle):
    definition = parse(flow).definition
    nodes, gates = list(definition.nodes), list(definition.gates.items())
    shuffle.shuffle(nodes)
    shuffle.shuffle(gates)
    stored = compile_flow(replace(definition, nodes=tuple(nodes), gates=dict(gates)))
    compiled, state, other = load(flow), None, None
    for facts in visitor:
        state, answer, _ = advance(compiled, state, Reply("", facts))
        other, same, _ = advance(stored, other, Reply("", facts))
        assert answer == same
    assert state == other


@settings(max_examples=150, deadline=None)
@given(flow=flows(), visitor=replies)
def test_the_state_survives_json_and_needs_no_log(flow, visitor):
    compiled, state, compact = load(flow), RuntimeState(), RuntimeState()
    for facts in visitor:
        state, answer, _ = advance(compiled, state, Reply("hi", facts))
        assert RuntimeState.from_json(state.to_json()) == state
        compact, same, _ = advance(compiled, compact.without_log(), Reply("hi", facts))
        assert same == answer
    assert compact.without_log() == state.without_log()


@settings(max_examples=150, deadline=None)
@given(flow=flows(), visitor=replies)
def test_masks_kept_up_to_date_equal_masks_computed_anew(flow, visitor):
    compiled = load(flow)
    board = open_board(compiled)
    for facts in visitor:
        take_reply(board, Reply("", facts))
        for _ in decisions(board):
            fresh = open_board(compiled, board.snapshot())
            for mask in ("gates", "blocked", "done", "capped", "met", "gates_lost"):
                assert getattr(board, mask) == getattr(fresh, mask)
            assert [m for m in board.by_attempts if m] == [m for m in fresh.by_attempts if m]


def reachable_by_play(flow, limit=400):
    """Every reply to every question, until the goal is reached or nothing new can happen."""
    compiled = load(flow)
    start = advance(compiled, None, Reply())
    seen, queue = set(), [start.state]
    while queue:
        state = queue.pop()
        if state.status in ("COMPLETE", "POST_GOAL"):
            return True
        key = repr(replace(state.without_log(), turn_index=0, facts=sorted(state.facts)))
        if key in seen or state.status != "OK":
            continue
        seen.add(key)
        assume(len(seen) < limit)
        scope = state.open_prompt.scope if state.open_prompt else ()
        for subset in range(1 << len(scope)):
            facts = {name: 1 for place, name in enumerate(scope) if subset >> place & 1}
            queue.append(advance(compiled, state, Reply("", facts)).state)
    return False


def closure_says_reachable(flow):
    closure = Closure(parse(flow).definition)
    return closure.goal in closure.derive()


@settings(max_examples=150, deadline=None)
@given(flow=flows(max_nodes=3))
def test_what_the_fixed_point_calls_unreachable_no_play_reaches(flow):
    if not closure_says_reachable(flow):
        assert not reachable_by_play(flow)


SELF_SUFFICIENT = st.lists(
    st.fixed_dictionaries(
        {
            "importance": st.sampled_from(["high", "normal", "low"]),
            "asks": st.booleans(),
            "needs": st.sets(st.integers(0, 3), max_size=2),
            "sets": st.booleans(),
        }
    ),
    min_size=1,
    max_size=4,
)


@st.composite
def self_sufficient_flows(draw):
    """Flows in which every node can meet its own objective: there the fixed point is exact, both ways."""
    nodes, gates = [], {}
    for place, choice in enumerate(draw(SELF_SUFFICIENT)):
        node = {"id": f"n{place}", "importance": choice["importance"]}
        rule = {"metricsAll": [f"f{place}"]} if choice["asks"] else {"statesAll": [f"S{place}"]}
        gates[f"G{place}"] = {"satisfiedBy": rule}
        node["satisfies"] = {"gates": [f"G{place}"]}
        if choice["asks"]:
            node["produces"] = [f"f{place}"]
        if choice["sets"] or not choice["asks"]:
            node["satisfies"]["states"] = [f"S{place}"]
        node["needs"] = choice["needs"]
        nodes.append(node)
    for node in nodes:
        node["requires"] = [f"G{other}" for other in sorted(node.pop("needs")) if other < len(nodes)]
    goal = {"type": "GATE", "gate": f"G{draw(st.integers(0, len(nodes) - 1))}"}
    return {"primaryGoal": goal, "gateDefinitions": gates, "nodes": nodes}


@settings(max_examples=200, deadline=None)
@given(flow=self_sufficient_flows())
def test_goal_reachable_agrees_with_exhaustive_play(flow):
    assert closure_says_reachable(flow) == reachable_by_play(flow)


@settings(max_examples=150, deadline=None)
@given(flow=flows(max_nodes=3))
def test_the_error_goal_unreachable_agrees_with_exhaustive_play_on_any_flow(flow):
    errors = {finding.code for finding in validate(flow).findings if finding.level is Level.ERROR}
    assert (Code.GOAL_UNREACHABLE in errors) == (not reachable_by_play(flow))


@settings(max_examples=150, deadline=None)
@given(flow=flows())
def test_critical_nodes_are_exactly_those_whose_removal_loses_the_goal(flow):
    closure = Closure(parse(flow).definition)
    derived = closure.derive()
    critical = closure.critical_nodes(derived)
    for node in flow["nodes"]:
        rest = {**flow, "nodes": [other for other in flow["nodes"] if other is not node]}
        lost = closure.goal in derived and not closure_says_reachable(rest)
        assert (node["id"] in critical) == lost
