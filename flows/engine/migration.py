"""Move a running conversation to another version of its flow: explicit, previewed, refused if it would forget (F21)."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from .board import open_board
from .compiled import CompiledFlow
from .controller import decide
from .runtime import OpenPrompt, RuntimeState
from .steps import Decision

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class MigrationPlan:
    """`state` is the conversation on the new version, or None if the move is refused for `problems`."""

    problems: tuple[str, ...]
    before: Decision
    after: Decision | None
    state: RuntimeState | None

    def to_json(self) -> dict[str, Any]:
        return {
            "ok": self.state is not None,
            "problems": list(self.problems),
            "before": self.before.to_json(),
            "after": self.after.to_json() if self.after else None,
        }


def plan_migration(
    state: RuntimeState, old: CompiledFlow, new: CompiledFlow, mapping: Mapping[str, str]
) -> MigrationPlan:
    """What moving would do. Nodes in the counters keep their id or are mapped, two never onto one."""
    before = decide(open_board(old, state))
    counted = {*state.attempts, *state.executions, *state.skipped, *state.grants, state.run_node}
    problems = tuple(_problems(sorted(filter(None, counted)), new, mapping))
    if problems:
        return MigrationPlan(problems, before, None, None)
    moved = open_board(new, _renamed(state, new, mapping)).snapshot()
    return MigrationPlan((), before, decide(open_board(new, moved)), moved)


def _problems(counted: list[str], new: CompiledFlow, mapping: Mapping[str, str]) -> Iterable[str]:
    targets: dict[str, str] = {}
    for node_id in counted:
        target = mapping.get(node_id, node_id)
        if target not in new.node_index:
            yield f"node “{node_id}” was used and is neither kept nor mapped to a node of the new version"
        elif target in targets:
            yield f"nodes “{targets[target]}” and “{node_id}” would both become “{target}”"
        targets[target] = node_id


def _renamed(state: RuntimeState, new: CompiledFlow, mapping: Mapping[str, str]) -> RuntimeState:
    def name(node_id: str) -> str:
        return mapping.get(node_id, node_id)

    def keys(counts: Mapping[str, Value]) -> dict[str, Value]:
        return {name(node_id): count for node_id, count in counts.items()}

    canonical = new.definition.canonical
    prompt = state.open_prompt
    return replace(
        state,
        facts={canonical(fact): value for fact, value in state.facts.items()},
        gates_satisfied=state.gates_satisfied & set(new.gate_index),
        gates_lost=state.gates_lost & set(new.gate_index),
        attempts=keys(state.attempts),
        executions=keys(state.executions),
        last_attempt=keys(state.last_attempt),
        grants=keys(state.grants),
        clarified=frozenset(map(name, state.clarified)),
        broadened=frozenset(map(name, state.broadened)),
        skipped=frozenset(map(name, state.skipped)),
        run_node=None if state.run_node is None else name(state.run_node),
        open_prompt=None if prompt is None else _asked_anew(prompt, new, name(prompt.node_id)),
        handoff=None if state.handoff is None else replace(state.handoff, node_id=name(state.handoff.node_id)),
    )


def _asked_anew(prompt: OpenPrompt, new: CompiledFlow, node_id: str) -> OpenPrompt | None:
    """The open question on the new version: what it asked for and the new version still knows, and what it asks now."""
    canonical = new.definition.canonical
    still_known = (fact for fact in map(canonical, prompt.scope) if fact in new.fact_index)
    asks_now = new.definition.produced_by(new.nodes[new.node_index[node_id]].source)
    scope = tuple(dict.fromkeys((*still_known, *asks_now)))
    return OpenPrompt(prompt.turn_index, node_id, scope) if scope else None
