"""The list of flows, with how each stands."""

from dataclasses import dataclass

from django.db.models import Prefetch

from flows.engine.findings import Level
from flows.engine.validation import validate
from flows.models import Flow, FlowVersion


@dataclass(frozen=True, slots=True)
class FlowRow:
    """`changed` says that the draft is not what is published."""

    flow: Flow
    newest: FlowVersion | None
    changed: bool
    errors: int
    warnings: int


def flow_rows() -> list[FlowRow]:
    newest_first = FlowVersion.objects.order_by("-version")
    flows = Flow.objects.prefetch_related(Prefetch("versions", newest_first))
    return [row_of(flow) for flow in flows]


def row_of(flow: Flow) -> FlowRow:
    newest = next(iter(flow.versions.all()), None)
    levels = [finding.level for finding in validate(flow.draft).findings]
    changed = newest is None or newest.definition != flow.draft
    return FlowRow(flow, newest, changed, levels.count(Level.ERROR), levels.count(Level.WARNING))
