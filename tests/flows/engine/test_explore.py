"""Exploration finds the bad ends a visitor can reach, with dialogues that really lead there."""

from hypothesis import given, settings

from flows.engine.compiled import load
from flows.engine.explore import explore
from flows.engine.outcome import Reply
from flows.engine.runner import advance
from flows.engine.simulate import simulate
from tests.flows.engine.strategies import flows, replies
from tests.flows.engine.support import asker, flow, policy, teller


def test_a_mute_visitor_is_the_shortest_way_to_a_handoff():
    found = explore(load(flow(asker(retryPolicy=policy(3, "HANDOFF")))))
    (handoff,) = found.handoffs
    assert (handoff.node_id, len(handoff.script), found.deadlocks) == ("goal-1", 4, ())
    assert found.complete


def test_a_deadlock_names_what_was_missing():
    gates = {"A": {"metricsAll": ["a"]}}
    first = asker("a-1", ["a"], ["A"], retryPolicy=policy(2, "SKIP"), importance="high")
    found = explore(load(flow(first, asker(requires=["A"], retryPolicy=policy(1, "SKIP")), gates=gates)))
    assert {ending.missing for ending in found.deadlocks} == {("A",), ()}
    assert found.handoffs == ()


def test_a_flow_that_cannot_fail_has_no_bad_ends():
    document = flow(teller(), gates={"SAID": {"statesAll": ["HELLO"]}}, goal="SAID")
    found = explore(load(document))
    assert (found.deadlocks, found.handoffs, found.complete) == ((), (), True)


def test_the_cap_on_states_is_kept_and_admitted_and_progress_is_reported():
    nodes = [asker(f"n{n}", [f"f{n}"], [f"G{n}"], retryPolicy=policy(9, "CLARIFY")) for n in range(12)]
    gates = {f"G{n}": {"metricsAll": [f"f{n}"]} for n in range(12)}
    seen = []
    found = explore(
        load(flow(*nodes, asker(), gates=gates)), max_states=2_000, progress=lambda *figures: seen.append(figures)
    )
    assert found.states == 2_000
    assert found.complete is False
    assert seen
    assert all(most == 2_000 for _, most in seen)


def test_whether_anybody_reaches_the_goal_is_told():
    assert explore(load(flow(asker()))).reaches_goal
    assert not explore(load(flow(teller()))).reaches_goal


def test_a_choice_is_played_with_one_of_its_values():
    kinds = {"kind": {"type": "choice", "choices": ["red", "blue"]}}
    first = asker("k-1", ["kind"], ["K"], importance="high")
    document = flow(first, asker(), gates={"K": {"metricsAll": ["kind"]}}, facts=kinds)
    scripts = [line.facts for ending in explore(load(document)).handoffs for line in ending.script]
    assert {"kind": "red"} in scripts


@settings(max_examples=80, deadline=None)
@given(flow=flows(max_nodes=3))
def test_every_script_replayed_ends_where_it_says(flow):
    compiled = load(flow)
    found = explore(compiled, max_states=300)
    for ending in (*found.deadlocks, *found.handoffs):
        played = simulate(compiled, ending.script)
        assert played.state.status == ending.status
        assert (played.state.handoff.node_id if played.state.handoff else None) == ending.node_id
        assert len(played.trace) == len(ending.script)


@settings(max_examples=80, deadline=None)
@given(flow=flows(max_nodes=3), visitor=replies)
def test_no_visitor_meets_a_bad_end_that_a_complete_exploration_missed(flow, visitor):
    compiled, state = load(flow), None
    found = explore(compiled, max_states=2_000)
    if not found.complete:
        return
    for facts in visitor:
        state = advance(compiled, state, Reply("", facts)).state
    if state.status == "HANDOFF":
        assert state.handoff.node_id in {ending.node_id for ending in found.handoffs}
    if state.status == "DEADLOCK":
        assert found.deadlocks
