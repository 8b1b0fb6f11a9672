"""Delivers what waits in the outbox.

A relay takes rows in one short transaction, delivers with none open, and writes the end in another. A relay that dies
in between leaves its rows to be taken again when the lease is over: a receiver may hear of an event twice (it knows
the event by its id), never not at all. Rows of one lane are taken one after another, in order.
"""

import time
from datetime import datetime, timedelta
from math import inf

from django.db import connection, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from conversations.domain.times import WRONG_CLOCK
from conversations.models import OutboxMessage
from conversations.models.outbox import IN_A_LANE, UNSETTLED
from conversations.services.deliverers import DELIVERERS, remind_audience
from conversations.services.onward import onward
from conversations.services.outbox import AUDIENCE
from conversations.services.remote_calls import Abandoned, Postponed, RemoteFailure

BATCH = 200
LEASE = timedelta(seconds=60)
MAX_BACKOFF = timedelta(minutes=10)
GIVE_UP_AFTER = timedelta(hours=24)
IN_ORDER = ("id",)
# What an index gives without sorting all that wait; lanes keep in order what must be.
LONGEST_DUE = ("available_at", "id")


def relay(*, now: datetime | None = None, seconds: float = inf) -> int:
    """Delivers everything due, in order; what fails waits longer each time. Returns how many were delivered.

    After `seconds` it leaves the rest to the next run.
    """
    delivered, ends = 0, time.monotonic() + seconds
    forget_wrong_clocks(now=now or timezone.now())
    while time.monotonic() < ends and (batch := relay_batch(now=now or timezone.now())) is not None:
        delivered += batch
    return delivered


def forget_wrong_clocks(*, now: datetime) -> None:
    """What waits for a time nobody meant is due now."""
    OutboxMessage.objects.filter(UNSETTLED, available_at__gt=now + WRONG_CLOCK).update(available_at=now)


def relay_batch(*, now: datetime) -> int | None:
    """A batch of local rows, else one remote row; None when nothing was due.

    One remote row at a time: whoever waits for a slow receiver holds nothing else back, since other relays go on.
    """
    if local := take(Q(destination=AUDIENCE), now=now, limit=BATCH):
        return told_audience(local, now=now)
    if remote := take(~Q(destination=AUDIENCE), now=now, limit=1, order=LONGEST_DUE):
        return int(delivered(remote[0], now=now))
    return None


def due_rows(which: Q, *, now: datetime, order: tuple[str, ...]) -> QuerySet[OutboxMessage]:
    """What waits and may go now: of a lane, only its first. Costs the same however much was ever delivered."""
    due = OutboxMessage.objects.filter(UNSETTLED, which, available_at__lte=now).order_by(*order)
    ahead = OutboxMessage.objects.filter(IN_A_LANE, lane=OuterRef("lane"), id__lt=OuterRef("id"))
    return due.filter(Q(lane="") | ~Exists(ahead))


def take(which: Q, *, now: datetime, limit: int, order: tuple[str, ...] = IN_ORDER) -> list[OutboxMessage]:
    """Takes due rows for the length of a lease; a second relay skips them and takes others."""
    with transaction.atomic():
        due = due_rows(which, now=now, order=order)
        if connection.features.has_select_for_update_skip_locked:
            due = due.select_for_update(skip_locked=True, of=("self",))
        ids = list(due.values_list("id", flat=True)[:limit])
        OutboxMessage.objects.filter(pk__in=ids).update(available_at=now + LEASE, attempts=F("attempts") + 1)
    rows = OutboxMessage.objects.filter(pk__in=ids).order_by("id")
    return list(rows.select_related("event__relationship", "event__payload")) if ids else []


def told_audience(messages: list[OutboxMessage], *, now: datetime) -> int:
    """Reminds whoever watches, and passes each event on to whoever else is to hear of it."""
    remind_audience(messages)
    with transaction.atomic():
        OutboxMessage.objects.bulk_create(onward(messages, now=now), ignore_conflicts=True)
        OutboxMessage.objects.filter(pk__in=[message.pk for message in messages]).update(delivered_at=now)
    return len(messages)


def delivered(message: OutboxMessage, *, now: datetime) -> bool:
    """Hands one message to its deliverer; a failure is kept on the row with the time of the next try."""
    try:
        DELIVERERS[message.destination.partition(":")[0]](message)
    except Abandoned as problem:
        end(message, abandoned_at=now, last_error=problem.reason)
    except Postponed as problem:  # no fault of the message's: the wait is not counted against it
        end(message, available_at=problem.until, attempts=message.attempts - 1, last_error=problem.reason)
    except Exception as problem:  # whatever a deliverer raises, the others' messages still go
        told = str(problem) if isinstance(problem, RemoteFailure) else type(problem).__name__
        if now - message.created_at > GIVE_UP_AFTER:
            end(message, abandoned_at=now, last_error=f"gave up: {told}")
        else:
            wait = min(MAX_BACKOFF, timedelta(seconds=2 ** min(message.attempts, 12)))
            end(message, available_at=now + wait, last_error=told)
    else:
        return end(message, delivered_at=now, last_error="")
    return False


def end(message: OutboxMessage, *, last_error: str, **columns: object) -> bool:
    """Writes how a try ended, unless the lease ran out and the row is another relay's, or settled, by now."""
    ours = OutboxMessage.objects.filter(UNSETTLED, pk=message.pk, attempts=message.attempts)
    return bool(ours.update(last_error=last_error[:200], **columns))
