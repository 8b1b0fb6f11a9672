"""What needs somebody now, counted, each figure beside the same one a day earlier."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from audit.models import VerificationRun
from audit.selectors.verification_runs import last_known
from conversations.models import Delivery, Handoff, LoopFinding, OutboxMessage, Relationship
from conversations.selectors.board import active, at_risk
from conversations.selectors.inbox import QueueHead

DAY = timedelta(days=1)
FAILED = (Delivery.Status.FAILED, Delivery.Status.UNREADABLE, Delivery.Status.REFUSED)


@dataclass(frozen=True, slots=True)
class Trend:
    """How many in the last 24 hours, and in the 24 before."""

    recent: int
    before: int

    @property
    def direction(self) -> str:
        return "up" if self.recent > self.before else "down" if self.recent < self.before else "same"


@dataclass(frozen=True, slots=True)
class Figure:
    """A count that is a link to the list behind it."""

    name: str
    number: int
    trend: Trend
    urgent: bool = False


@dataclass(frozen=True, slots=True)
class Failing:
    """What did not get through: webhooks in and messages given up in the last 24 hours, messages still being tried."""

    incoming: Trend
    given_up: Trend
    retrying: int

    @property
    def trend(self) -> Trend:
        return Trend(self.incoming.recent + self.given_up.recent, self.incoming.before + self.given_up.before)

    @property
    def number(self) -> int:
        return self.trend.recent + self.retrying


def figures(queue: QueueHead, failing: Failing, *, username: str, now: datetime) -> list[Figure]:
    """The counts of Home, the most urgent first."""
    asked = trend(Handoff.objects.all(), "requested_at", now=now)
    taken = trend(Handoff.objects.filter(operator=username), "claimed_at", now=now)
    alarms = trend(LoopFinding.objects.all(), "found_at", now=now)
    opened = trend(Relationship.objects.all(), "created_at", now=now)
    risky = active().filter(at_risk(now=now)).count()
    integrity = last_known()
    broken = integrity.broken if integrity else 0
    verified = trend(VerificationRun.objects.filter(status=VerificationRun.Status.BROKEN), "finished_at", now=now)
    return [
        Figure("waiting", queue.waiting, asked, urgent=bool(queue.waiting)),
        Figure("mine", queue.mine, taken),
        Figure("at_risk", risky, alarms, urgent=bool(risky)),
        Figure("unlabelled", unlabelled_findings().count(), alarms),
        Figure("broken", broken, verified, urgent=bool(broken)),
        Figure("failing", failing.number, failing.trend, urgent=bool(failing.number)),
        Figure("active", active().count(), opened),
    ]


def trend(rows: QuerySet[Any], moment: str, *, now: datetime) -> Trend:
    """How often something happened yesterday and the day before, by the column that has its moment."""
    recent, before = {f"{moment}__gt": now - DAY}, {f"{moment}__gt": now - 2 * DAY, f"{moment}__lte": now - DAY}
    return Trend(rows.filter(**recent).count(), rows.filter(**before).count())


def failing_deliveries(*, now: datetime) -> Failing:
    return Failing(
        incoming=trend(Delivery.objects.filter(status__in=FAILED), "received_at", now=now),
        given_up=trend(OutboxMessage.objects.all(), "abandoned_at", now=now),
        retrying=OutboxMessage.objects.filter(delivered_at=None, abandoned_at=None, attempts__gt=1).count(),
    )


def unlabelled_findings() -> QuerySet[LoopFinding]:
    """The newest alarm of each conversation that nobody has judged, newest first."""
    newer = LoopFinding.objects.filter(relationship=OuterRef("relationship"), seq__gt=OuterRef("seq"))
    rows = LoopFinding.objects.filter(~Exists(newer), relationship__loop_labels=None).order_by("-found_at")
    return rows.select_related("relationship__initiator", "relationship__responder")
