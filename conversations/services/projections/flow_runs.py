"""Flow runs as their events say: the recorded steps, folded by the engine that made them."""

from collections.abc import Iterable

from conversations.domain.events import CREATED, Recorded
from conversations.domain.turns import FLOW_EVENTS, MIGRATED
from conversations.models import FlowRun, Relationship, TurnLog
from conversations.selectors.flow_runs import flow_of, state_of
from flows.engine.apply import fold
from flows.engine.compiled import CompiledFlow
from flows.engine.migration import plan_migration
from flows.engine.runtime import RuntimeState
from flows.engine.steps import step_from_json
from flows.selectors.compiled import compiled_version


def apply(relationship: Relationship, event: Recorded) -> None:
    """Moves the run by an event's steps; a turn that was only recorded has none."""
    follow(relationship, flow_of(relationship) if event.content.get("steps") else None, event)


def follow(relationship: Relationship, flow: CompiledFlow | None, event: Recorded) -> None:
    steps = [step_from_json(step) for step in event.content.get("steps", ())]
    if flow is not None and steps:
        before = state_of(relationship)
        write(relationship, fold(flow, steps, before), before=before, event=event)


def migrate(relationship: Relationship, event: Recorded) -> None:
    """Carries the run over to another version, as the plan that was shown said."""
    told, before = event.content, state_of(relationship)
    if before is None:
        return
    old = compiled_version(told["slug"], told["from_version"], told["from_hash"])
    new = compiled_version(told["slug"], told["version"], told["hash"])
    moved = plan_migration(before, old, new, told["mapping"]).state
    if moved is None:
        raise ValueError("a recorded migration does not apply")
    write(relationship, moved, before=before, event=event)


def rebuild(relationship: Relationship, chain: Iterable[Recorded]) -> None:
    """Writes the run anew from the events, as after an erasure: what was erased is in no column either."""
    if relationship.flow_slug is None:
        return
    TurnLog.objects.filter(relationship=relationship).delete()
    FlowRun.objects.filter(pk=relationship.pk).delete()
    pinned: CompiledFlow | None = None
    for event in chain:
        told = event.content
        if event.type == CREATED:
            pinned = compiled_version(*(told["flow"][name] for name in ("slug", "version", "hash")))
        elif event.type == MIGRATED:
            migrate(relationship, event)
            pinned = compiled_version(told["slug"], told["version"], told["hash"])
        elif event.type in FLOW_EVENTS:
            follow(relationship, pinned, event)


def write(relationship: Relationship, state: RuntimeState, *, before: RuntimeState | None, event: Recorded) -> None:
    """Stores the compact state, and of the log only the lines this event completed or added."""
    run = FlowRun.objects.filter(pk=relationship.pk).first() or FlowRun(relationship=relationship)
    known = len(before.turn_log) if before else 0
    first_line = run.lines - known
    for offset, entry in enumerate(state.turn_log):
        TurnLog.objects.update_or_create(
            relationship=relationship,
            line=first_line + offset,
            defaults={
                "turn_index": entry.turn_index,
                "node_id": entry.node_id,
                "mode": entry.mode.value,
                "entry": entry.to_json(),
            },
            create_defaults={
                "turn_index": entry.turn_index,
                "node_id": entry.node_id,
                "mode": entry.mode.value,
                "entry": entry.to_json(),
                "at": event.at,
            },
        )
    run.lines = first_line + len(state.turn_log)
    run.state = state.without_log().to_json()
    run.status = state.status.value
    run.node_id = state.open_prompt.node_id if state.open_prompt else None
    run.updated_at = event.at
    run.save()
