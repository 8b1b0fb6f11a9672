"""Tries, handoffs and drop-off of each node, for a flow's drawing: sums of the figures by day."""

from collections import defaultdict
from dataclasses import dataclass

from audit.metrics.keys import Measure
from audit.selectors.cohorts import cohort_since
from audit.selectors.figures import Filters

MEASURES = (Measure.NODE_TRIED, Measure.NODE_HANDED, Measure.NODE_DROPPED)


@dataclass(slots=True)
class NodeFigures:
    """`tried`: conversations that tried the node; `dropped`: those that ended there short of the goal."""

    tried: int = 0
    handoffs: int = 0
    dropped: int = 0


def figures_by_node(slug: str) -> dict[str, NodeFigures]:
    """Over every version of the flow, the same as on the metrics page."""
    sums = cohort_since(MEASURES, by="subject", filters=Filters(flow=slug))
    figures: dict[str, NodeFigures] = defaultdict(NodeFigures)
    for node_id, each in sums[Measure.NODE_TRIED].items():
        figures[node_id].tried = each.times
    for node_id, each in sums[Measure.NODE_HANDED].items():
        figures[node_id].handoffs = each.total
    for node_id, each in sums[Measure.NODE_DROPPED].items():
        figures[node_id].dropped = each.times
    return dict(figures)
