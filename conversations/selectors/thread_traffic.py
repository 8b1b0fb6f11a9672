"""Past decisions about thread messages: to be decided again under another policy, and counted by day."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from conversations.domain.threads import DECIDED
from conversations.domain.turns import OWNED_BY_HUMAN
from conversations.models import Event, GuardActivity
from conversations.selectors.events import as_recorded
from guards.backtest import RecordedDecision
from guards.policies.context import ThreadContext
from guards.selectors.policy import policies_by_version

MAX_EXAMINED = 5_000


@dataclass(frozen=True, slots=True)
class Traffic:
    """Decisions, newest first; `truncated` when there were more than one look takes."""

    decisions: list[RecordedDecision]
    truncated: bool


def recorded_decisions(*, since: datetime) -> Traffic:
    """What the guards decided since then. Left out: what a person's ownership decided, and what was erased."""
    policies = policies_by_version()
    events = Event.objects.filter(type__in=DECIDED, at__gte=since, payload__isnull=False).select_related("payload")
    newest = list(events.order_by("-at", "-id")[: MAX_EXAMINED + 1])
    decisions = [
        RecordedDecision(
            reference=f"{event.relationship_id}/{event.seq}",
            context=ThreadContext.from_json(told["context"]),
            policy=policies[told["policy_version"]].threads,
        )
        for event in newest[:MAX_EXAMINED]
        if (told := as_recorded(event).content)["code"] != OWNED_BY_HUMAN
    ]
    return Traffic(decisions, truncated=len(newest) > MAX_EXAMINED)


def guard_activity(*, since: date) -> list[dict[str, Any]]:
    """How often each guard refused, with which code, and each persona spoke: a row a day and kind."""
    rows = GuardActivity.objects.filter(day__gte=since)
    return list(rows.values("day", "event", "guard", "code", "persona", "count"))
