"""Where a conversation stands in its flow."""

from conversations.domain.errors import NotFoundError
from conversations.models import FlowRun, Relationship, TurnLog
from flows.engine.compiled import CompiledFlow
from flows.engine.runtime import RuntimeState
from flows.selectors.compiled import compiled_version


def flow_of(relationship: Relationship) -> CompiledFlow:
    """The compiled flow this conversation is pinned to."""
    if relationship.flow_slug is None or relationship.flow_version is None:
        raise NotFoundError("This conversation follows no flow.")
    return compiled_version(relationship.flow_slug, relationship.flow_version, str(relationship.flow_hash))


def state_of(relationship: Relationship) -> RuntimeState | None:
    """The state to decide from, with the one line of its log that the next reply completes."""
    run = FlowRun.objects.filter(pk=relationship.pk).first()
    if run is None:
        return None
    last = TurnLog.objects.filter(relationship=relationship).order_by("-line").values_list("entry", flat=True)[:1]
    return RuntimeState.from_json({**run.state, "turnLog": list(last)})


def runtime_of(relationship: Relationship) -> RuntimeState:
    """The whole runtime state, log included, for whoever reads it."""
    run = FlowRun.objects.filter(pk=relationship.pk).first()
    if run is None:
        flow_of(relationship)
        return RuntimeState()
    log = TurnLog.objects.filter(relationship=relationship).order_by("line").values_list("entry", flat=True)
    return RuntimeState.from_json({**run.state, "turnLog": list(log)})
