"""What false alarms cost: what was done because of them, and the time of people."""

from collections import Counter
from dataclasses import dataclass
from datetime import timedelta

from django.db.models import Count

from audit.selectors.loop_cases import LabelledCases
from conversations.models import Handoff, LoopFinding


@dataclass(frozen=True, slots=True)
class AlarmCosts:
    conversations: int
    warnings: int
    nudges: int
    handoffs: int
    closures: int
    operator_time: timedelta


def false_alarm_costs(cases: LabelledCases) -> AlarmCosts:
    """Over conversations that were alarmed and, people say, did not loop."""
    false = cases.rows().filter(detected=True, is_loop=False)
    findings = LoopFinding.objects.filter(relationship__in=false.values("pk")).order_by()
    levels = Counter(dict(findings.values_list("level").annotate(Count("pk"))))
    asked = findings.exclude(handoff_id=None).values("handoff_id")
    held = Handoff.objects.filter(pk__in=asked, claimed_at__isnull=False, ended_at__isnull=False)
    seconds = sum((ended - claimed).total_seconds() for claimed, ended in held.values_list("claimed_at", "ended_at"))
    return AlarmCosts(
        conversations=false.count(),
        warnings=levels["warn"],
        nudges=levels["nudge"],
        handoffs=levels["hand_off"],
        closures=levels["close"],
        operator_time=timedelta(seconds=int(seconds)),
    )
