"""The service's vital signs: each a small question to an index, never a walk through history."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Min, Sum

from audit.metrics.keys import Measure
from audit.models import Checkpoint, DayFigure, Leaf
from audit.selectors.needs import failing_deliveries
from audit.selectors.rollups import cursor_position
from audit.selectors.tree import tree_size
from conversations.domain.handoff import OPEN, HandoffStatus
from conversations.domain.relationship import ConversationState
from conversations.models import Event, Handoff, OutboxMessage, Relationship
from conversations.models.outbox import UNSETTLED


@dataclass(frozen=True, slots=True)
class Vital:
    """One gauge; `values` by the value of `label`, or under an empty one without."""

    name: str
    meaning: str
    values: Mapping[str, float]
    label: str = ""


def vitals(*, now: datetime) -> list[Vital]:
    """Everything worth an alarm, without anybody's name."""
    return [*conversations(now), *handoffs(now), *deliveries(now), *ledger(now), *counted()]


def age(moment: datetime | None, now: datetime) -> dict[str, float]:
    """Seconds since; nought where there is nothing to be late with."""
    return {"": max(0.0, (now - moment).total_seconds()) if moment else 0.0}


def conversations(now: datetime) -> list[Vital]:
    active = Relationship.objects.filter(conversation_state=ConversationState.ACTIVE)
    soonest = active.aggregate(soonest=Min("expires_at"))["soonest"]
    return [
        Vital("conversations_active", "Open conversations.", {"": active.count()}),
        Vital("sweep_lag_seconds", "How long the longest overdue conversation is overdue.", age(soonest, now)),
    ]


def handoffs(now: datetime) -> list[Vital]:
    found = Handoff.objects.filter(status__in=OPEN).values_list("status").annotate(Count("pk"))
    standing = dict.fromkeys(map(str, OPEN), 0) | dict(found.order_by())
    waiting = Handoff.objects.filter(status=HandoffStatus.WAITING)
    oldest = waiting.aggregate(oldest=Min("requested_at"))["oldest"]
    return [
        Vital("handoffs_open", "Handoffs that wait or are held.", standing, "status"),
        Vital("handoff_oldest_wait_seconds", "How long the oldest request waits.", age(oldest, now)),
    ]


def deliveries(now: datetime) -> list[Vital]:
    unsettled = OutboxMessage.objects.filter(UNSETTLED).aggregate(depth=Count("pk"), oldest=Min("created_at"))
    failed = failing_deliveries(now=now)
    failing = {
        "in": failed.incoming.recent,
        "out_given_up": failed.given_up.recent,
        "out_retrying": failed.retrying,
    }
    return [
        Vital("outbox_depth", "Messages not delivered yet.", {"": unsettled["depth"]}),
        Vital("outbox_oldest_seconds", "How long the oldest of them waits.", age(unsettled["oldest"], now)),
        Vital("deliveries_failing", "Webhooks in and messages out that failed in a day.", failing, "direction"),
    ]


def ledger(now: datetime) -> list[Vital]:
    unnumbered = Leaf.objects.filter(index=None).aggregate(waiting=Count("pk"), oldest=Min("event__at"))
    signed = Checkpoint.objects.values_list("created_at", "size").first()
    begun = Event.objects.order_by("pk").values_list("at", flat=True).first()
    size = tree_size()
    # a log that has not grown needs no new signature
    unsigned_since = (signed[0] if signed[1] < size else None) if signed else begun
    return [
        Vital("sequencer_lag_events", "Events without a number in the log.", {"": unnumbered["waiting"]}),
        Vital("sequencer_lag_seconds", "The age of the oldest of them.", age(unnumbered["oldest"], now)),
        Vital("checkpoint_age_seconds", "Age of the last signature, while events wait.", age(unsigned_since, now)),
        Vital("rollup_lag_events", "Numbered events that the figures do not have.", {"": size - cursor_position()}),
    ]


def counted() -> list[Vital]:
    """Totals of the figures by day; an erasure or a rebuild may lower one, so they are gauges."""
    measures = {
        Measure.GUARD: ("guard_refusals", "Refusals by guard, of all conversations kept.", "guard"),
        Measure.LOOP: ("loop_alarms", "Loop alarms by rule.", "rule"),
        Measure.CLOSED: ("conversations_closed", "Ended conversations by type.", "closure_type"),
    }
    sums: dict[str, dict[str, float]] = {measure: {} for measure in measures}
    rows = DayFigure.objects.filter(measure__in=measures).values_list("measure", "subject").annotate(Sum("count"))
    for measure, subject, count in rows.order_by():
        sums[measure][subject] = count
    return [Vital(name, meaning, sums[measure], label) for measure, (name, meaning, label) in measures.items()]
