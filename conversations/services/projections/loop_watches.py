"""Loop watches as the events say, whoever appended them."""

import logging
from collections.abc import Iterable
from dataclasses import replace

from conversations.domain.events import Recorded
from conversations.domain.loops import FOUND, Watch, after, concerns
from conversations.models import LoopWatch, Relationship
from conversations.prepared import insert
from conversations.selectors.loops import stored_watch, watch_of
from guards.loops.findings import Finding

log = logging.getLogger(__name__)


def apply(relationship: Relationship, event: Recorded) -> None:
    """Moves the watch by one event, and keeps what a message gave rise to for whoever reviews it."""
    if not concerns(event):
        return
    watch, findings = moved(watch_of(relationship), event)
    said = event.type != FOUND
    before = stored_watch(relationship)
    write(
        relationship,
        watch,
        findings=[found.as_dict() for found in findings] if said or before is None else before.findings,
        seq=event.seq if said or before is None else before.seq,
        event=event,
    )


def moved(watch: Watch, event: Recorded) -> tuple[Watch, list[Finding]]:
    """Analyses report: one that fails is logged and leaves the message, and the watch, as they are."""
    try:
        return after(watch, event)
    except Exception:  # whatever a rule stumbles over, the message stands
        log.exception("loop_review_failed", extra={"event_type": event.type, "seq": event.seq})
        return watch, []


def write(relationship: Relationship, watch: Watch, *, findings: list[dict], seq: int, event: Recorded) -> None:
    """One statement, whether the row is there or not; the row stays with the relationship for this transaction."""
    row = LoopWatch(
        relationship=relationship,
        run=watch.run.to_json(),
        rules=list(watch.rules),
        length=watch.length,
        peak=watch.peak,
        peak_rule=watch.peak_rule,
        findings=findings,
        seq=seq,
        updated_at=event.at,
    )
    insert(row, or_update="relationship")


def rebuild(relationship: Relationship, chain: Iterable[Recorded]) -> None:
    """Writes the watch anew from the events, as after an erasure: it holds excerpts of what was said."""
    watch, last = Watch(), None
    for event in chain:
        if concerns(event):
            watch, _ = moved(watch, event)
            last = event
    if last is not None:
        write(relationship, replace(watch), findings=[], seq=last.seq, event=last)
