"""Seed 001's figures, per conversation and per flow, with the denominators of F22."""

from datetime import datetime
from fractions import Fraction
from typing import Any

from audit.metrics.deltas import Sums
from audit.metrics.keys import COHORT, Measure
from audit.metrics.parts.workflow import length
from audit.selectors.cohorts import cohort_since
from audit.selectors.figures import Filters
from audit.selectors.talks import talks_of
from conversations.models import FlowRun, Relationship, TurnLog
from flows.engine.figures import conversation_figures
from flows.engine.runtime import Status, TurnEntry

WHOLE = (
    Measure.FLOW_STARTED,
    Measure.FLOW_CLOSED,
    Measure.FLOW_COMPLETE,
    Measure.FLOW_HANDED,
    Measure.FLOW_DEADLOCK,
)


def metrics_of_conversation(relationship: Relationship) -> dict[str, Any]:
    """One conversation; one that follows no flow has turns and nothing else to count."""
    run = FlowRun.objects.filter(pk=relationship.pk).first()
    log = [entry_of(raw) for raw in TurnLog.objects.filter(relationship=relationship).values_list("entry", flat=True)]
    counted = conversation_figures(log)
    nodes = counted.attempts_by_node
    return {
        "relationship": str(relationship.pk),
        "total_turns": counted.turns if run else length(talks_of([relationship.pk])[relationship.pk]),
        "nodes_executed": counted.executed,
        "nodes_retried": counted.retried,
        "attempts_by_node": nodes,
        "average_attempts_per_node": number(Fraction(sum(nodes.values()), len(nodes)) if nodes else None),
        "gates_timeline": counted.gates,
        "completion_rate": number(rate_of(run, Status.COMPLETE) if relationship.closed_at else None),
        "handoff_rate": number(Fraction(counted.handoffs > 0) if run else None),
        "deadlocks": int(bool(run and run.status == Status.DEADLOCK)),
    }


def rate_of(run: FlowRun | None, status: Status) -> Fraction | None:
    return None if run is None else Fraction(run.status == status)


def metrics_of_flow(slug: str, *, since: datetime | None = None) -> dict[str, Any]:
    """All conversations of a flow, begun since a moment: sums of the figures by day, whatever the number of turns."""
    sums = cohort_since(COHORT, by="subject", filters=Filters(flow=slug), since=since)
    whole = {measure: sums[measure].get("", Sums()) for measure in WHOLE}
    started, closed = whole[Measure.FLOW_STARTED], whole[Measure.FLOW_CLOSED].times
    return {
        "flow": slug,
        "started": started.times,
        "closed": closed,
        "completion_rate": rate(whole[Measure.FLOW_COMPLETE].times, closed),
        "handoff_rate": rate(whole[Measure.FLOW_HANDED].times, started.times),
        "deadlocks": whole[Measure.FLOW_DEADLOCK].times,
        "average_conversation_length": rate(started.total, started.times),
        "average_attempts_per_node": {
            node: rate(each.total, each.times) for node, each in sorted(sums[Measure.NODE_TRIED].items())
        },
        "most_retried_nodes": most_first(sums[Measure.NODE_RETRIED], "node", "total"),
        "most_common_handoff_points": most_first(sums[Measure.NODE_HANDED], "node", "total"),
        "gate_satisfaction": most_first(sums[Measure.GATE], "gate", "times"),
    }


def entry_of(raw: dict[str, Any]) -> TurnEntry:
    return TurnEntry.from_json(raw)


def most_first(sums: dict[str, Sums], name: str, figure: str) -> list[dict[str, Any]]:
    ranked = sorted(((key, getattr(each, figure)) for key, each in sums.items()), key=lambda item: (-item[1], item[0]))
    return [{name: key, "count": count} for key, count in ranked]


def rate(part: int, whole: int) -> float | None:
    """None where nothing happened yet: no conversation is not a rate of zero."""
    return number(Fraction(part, whole) if whole else None)


def number(value: Fraction | None) -> float | None:
    return None if value is None else round(float(value), 4)
