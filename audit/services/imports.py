"""A team's own labelled traces, judged by the detector as it is set now."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from decimal import Decimal
from typing import Any

from django.db import transaction

from audit.models import ImportedTrace
from guards.loops.detector import LoopDetector
from guards.loops.findings import Finding
from guards.loops.steps import step_from_dict
from guards.selectors.policy import policy_in_force

COLUMNS = ("is_loop", "onset", "alarm", "length", "peak", "rule", "policy_version", "imported_at")


def import_traces(rows: Iterable[Mapping[str, Any]], *, now: datetime) -> int:
    """Judges and keeps each trace, all or none; one imported before is judged anew."""
    policy = policy_in_force()
    threshold = policy.document.workflow.loop_detection_threshold
    traces = [judged(row, threshold=threshold, version=str(policy.version), now=now) for row in rows]
    with transaction.atomic():
        ImportedTrace.objects.bulk_create(
            traces, update_conflicts=True, unique_fields=["source", "trace"], update_fields=COLUMNS, batch_size=500
        )
    return len(traces)


def judged(row: Mapping[str, Any], *, threshold: float, version: str, now: datetime) -> ImportedTrace:
    """Reads the trace forwards, once, to its end: the alarm is its first finding that is sure enough."""
    detector = LoopDetector()
    alarm, surest = None, None
    for index, raw in enumerate(row["steps"]):
        found = max(detector.observe(step_from_dict(raw)), key=sureness, default=None)
        if found is None:
            continue
        if alarm is None and found.confidence >= threshold:
            alarm = index
        if surest is None or found.confidence > surest.confidence:
            surest = found
    return ImportedTrace(
        source=row["source"][:100],
        trace=row["id"][:200],
        is_loop=row["label"],
        onset=row.get("onset"),
        alarm=alarm,
        length=len(row["steps"]),
        peak=Decimal(f"{surest.confidence:.2f}") if surest else Decimal(0),
        rule=surest.rule.value if surest else "",
        policy_version=version,
        imported_at=now,
    )


def sureness(found: Finding) -> float:
    return found.confidence
