"""Microseconds per flow decision at 10, 100 and 1,000 nodes: compiled engine, literal reference, peers, one run.

    .venv/bin/python -m bench.engine            # peers need requirements-bench.txt; absent ones are named and skipped

Every contender answers the same question in the same position: which of N nodes speaks next, half of the conversation
done. The peers get the simplest form of it (one guard or route a node), without retries, cooldown or reasons.
"""

import time
from collections.abc import Callable
from dataclasses import replace
from importlib.util import find_spec
from typing import Any

from flows.engine.board import open_board
from flows.engine.compiled import load
from flows.engine.controller import decide
from flows.engine.outcome import Reply
from flows.engine.runner import advance
from flows.engine.runtime import RuntimeState
from tests.flows.engine.reference import Reference

SIZES = (10, 100, 1_000)
TARGETS = {10: 2, 100: 10, 1_000: 60}
BUDGET = 0.4
"""Seconds spent on one figure."""


def document(size: int) -> dict[str, Any]:
    """Chains of five nodes; every third retries after a cooldown, importance mixed."""
    nodes, gates = [], {}
    for place in range(size):
        gates[f"G{place}"] = {"satisfiedBy": {"metricsAll": [f"f{place}"]}}
        nodes.append(
            {
                "id": f"n{place}",
                "importance": ("high", "normal", "low")[place % 3],
                "requires": [f"G{place - 1}"] if place % 5 else [],
                "produces": [f"f{place}"],
                "satisfies": {"gates": [f"G{place}"]},
                "retryPolicy": {"maxAttempts": 50, "onExhaust": "BROADEN", "cooldownTurns": 2 * (place % 3 == 0)},
                "prompts": ["Tell me."],
            }
        )
    goal = {"satisfiedBy": {"metricsAll": [f"f{place}" for place in range(size)]}}
    return {
        "primaryGoal": {"type": "GATE", "gate": "ALL"},
        "gateDefinitions": {**gates, "ALL": goal},
        "nodes": nodes,
    }


def midway(flow_document: dict[str, Any]) -> tuple[RuntimeState, Reference]:
    """A conversation in which every second question was answered, on the engine and on the reference."""
    flow, reference = load(flow_document), Reference(flow_document)
    state, facts = None, {}
    for message in range(len(flow_document["nodes"])):
        state = advance(flow, state, Reply("", facts)).state
        reference.message(facts)
        prompt = state.open_prompt
        facts = dict.fromkeys(prompt.scope, "x") if prompt and message % 2 else {}
    assert state is not None
    assert state.open_prompt is not None, "the position must be one in which there is something to decide"
    assert state.attempts == reference.attempts
    return state, reference


def microseconds(call: Callable[[], object]) -> float:
    """Processor time, the best of several rounds: a busy neighbour does not count."""
    call()
    started = time.process_time()
    call()
    once = max(time.process_time() - started, 1e-7)
    rounds = 100
    repeat = max(1, int(BUDGET / rounds / once))
    best = float("inf")
    for _ in range(rounds):
        started = time.process_time()
        for _ in range(repeat):
            call()
        best = min(best, (time.process_time() - started) / repeat)
    return best * 1e6


def transitions_peer(size: int) -> Callable[[], object]:
    """A `transitions` machine with one guarded transition a node; half of the guards say no first."""
    from transitions import Machine  # type: ignore[import-not-found]  # bench-only requirement

    class Model:
        pass

    model = Model()
    known = frozenset(range(size // 2))
    machine = Machine(model=model, states=["idle"], initial="idle", auto_transitions=False)
    for number in range(size):
        machine.add_transition("turn", "idle", "idle", conditions=[lambda number=number: number not in known])
    return model.turn  # type: ignore[attr-defined,no-any-return]


def langgraph_peer(size: int) -> Callable[[], object]:
    """A LangGraph that routes from START to one of N nodes and ends: one turn."""
    from langgraph.graph import END, START, StateGraph  # type: ignore[import-not-found]  # bench-only requirement

    known = frozenset(range(size // 2))
    graph = StateGraph(dict)
    for number in range(size):
        graph.add_node(f"n{number}", lambda state: state)
        graph.add_edge(f"n{number}", END)
    graph.add_conditional_edges(START, lambda _: next(f"n{number}" for number in range(size) if number not in known))
    compiled = graph.compile()
    return lambda: compiled.invoke({"turn": 1})


PEERS = {"transitions": transitions_peer, "langgraph": langgraph_peer}


def row(size: int) -> dict[str, float]:
    """Every figure for one size."""
    flow_document = document(size)
    flow = load(flow_document)
    state, reference = midway(flow_document)
    board = open_board(flow, state)
    long_log = open_board(flow, replace(state, turn_log=state.turn_log * (20_000 // len(state.turn_log))))
    assert state.open_prompt is not None
    reply = Reply("x", {state.open_prompt.scope[0]: "x"})
    compact = state.without_log()
    figures = {
        "compiled": microseconds(lambda: decide(board)),
        "compiled, log of 20,000": microseconds(lambda: decide(long_log)),
        "literal reference": microseconds(reference.decide),
        "whole message (load state, ingest, decide, explain)": microseconds(lambda: advance(flow, compact, reply)),
    }
    for name, peer in PEERS.items():
        if find_spec(name):
            figures[f"{name}, one turn"] = microseconds(peer(size))
    return figures


def main() -> None:
    for name in PEERS:
        if not find_spec(name):
            print(f"{name} is not installed and left out (requirements-bench.txt has it)")
    columns = {size: row(size) for size in SIZES}
    print(f"{'µs per decision':<55}" + "".join(f"{size:>12,}" for size in SIZES))
    for name in columns[SIZES[0]]:
        print(f"{name:<55}" + "".join(f"{columns[size][name]:>12,.2f}" for size in SIZES))
    print(f"{'target':<55}" + "".join(f"{TARGETS[size]:>12,}" for size in SIZES))
    met = all(columns[size]["compiled"] <= TARGETS[size] for size in SIZES)
    print("targets met" if met else "TARGETS MISSED")


if __name__ == "__main__":
    main()
