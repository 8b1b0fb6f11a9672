"""Delivers what waits in the outbox.

What is told inside this house goes out in one transaction, by one relay at a time. For everything else a relay takes
rows in one short transaction, delivers with none open, and writes the end in another. A relay that dies in between
leaves its rows to be taken again when the lease is over: a receiver may hear of an event twice (it knows the event by
its id), never not at all. Rows of one lane are taken one after another, in order.
"""

import logging
import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from math import inf

from django.db import DatabaseError, connection, transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from conversations.domain.times import WRONG_CLOCK
from conversations.models import OutboxMessage, WebhookSubscription
from conversations.models.outbox import AUDIENCE, IN_A_LANE, REMOTE, UNSETTLED
from conversations.services import locks
from conversations.services.deliverers import DELIVERERS, remind_audience
from conversations.services.onward import onward
from conversations.services.remote_calls import Abandoned, Postponed, RemoteFailure

BATCH = 200
LEASE = timedelta(seconds=60)
MAX_BACKOFF = timedelta(minutes=10)
GIVE_UP_AFTER = timedelta(hours=24)
log = logging.getLogger(__name__)


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
    OutboxMessage.objects.filter(REMOTE, available_at__gt=now + WRONG_CLOCK).update(available_at=now)


def relay_batch(*, now: datetime) -> int | None:
    """A batch of local rows, else one remote row; None when nothing was due.

    One remote row at a time: whoever waits for a slow receiver holds nothing else back, since other relays go on.
    """
    if told := tell_audience(now=now):
        return told
    if (remote := take(now=now)) is not None:
        return int(delivered(remote, now=now))
    return None


def tell_audience(*, now: datetime) -> int:
    """Reminds whoever watches of a batch of events, and passes each on to whoever else is to hear of it.

    In the events' own order, whatever the clock says that wrote them, and by one relay at a time: two at once could
    pass on a later event of a conversation first, and its channel would be told two answers in the wrong order.
    """
    if not untold(now=now).exists():  # asked without a lock, which on SQLite would be every writer's
        return 0
    with locks.only_writer(wait=False, of=locks.AUDIENCE) as taken:
        if not taken:
            return 0
        messages = list(untold(now=now).select_related("event__relationship", "event__payload")[:BATCH])
        told, rows = passed_on(messages, now=now)
        OutboxMessage.objects.bulk_create(rows, ignore_conflicts=True)
        ids = [message.pk for message in told]
        OutboxMessage.objects.filter(pk__in=ids).update(delivered_at=now, attempts=F("attempts") + 1)
        if told:
            remind_audience(told)
    return len(told)


def untold(*, now: datetime) -> QuerySet[OutboxMessage]:
    """Events nobody was told of, in their order; only one that failed before waits for its time."""
    due = Q(attempts=0) | Q(available_at__lte=now)
    return OutboxMessage.objects.filter(UNSETTLED, due, destination=AUDIENCE).order_by("id")


def passed_on(messages: Sequence[OutboxMessage], *, now: datetime) -> tuple[list[OutboxMessage], list[OutboxMessage]]:
    """Those that can be told, and the rows that follow from them; a broken one is put off and holds up no other."""
    subscribers = list(WebhookSubscription.objects.filter(enabled=True)) if messages else []
    told: list[OutboxMessage] = []
    rows: list[OutboxMessage] = []
    for message in messages:
        try:
            rows += onward(message.event, subscribers, now=now)
        except DatabaseError:
            raise  # the database's trouble is everybody's: all wait for the next run
        except Exception as problem:
            log.exception("event_put_off", extra={"relationship": str(message.event.relationship_id)})
            put_off(message, type(problem).__name__, now=now, attempts=message.attempts + 1)
        else:
            told.append(message)
    return told, rows


def due_rows(*, now: datetime) -> QuerySet[OutboxMessage]:
    """What waits for somebody elsewhere and may go now: of a lane, only its first.

    In an order that an index gives, so that it costs the same however much waits or was ever delivered.
    """
    due = OutboxMessage.objects.filter(REMOTE, available_at__lte=now).order_by("available_at", "id")
    ahead = OutboxMessage.objects.filter(IN_A_LANE, lane=OuterRef("lane"), id__lt=OuterRef("id"))
    return due.filter(Q(lane="") | ~Exists(ahead))


def take(*, now: datetime) -> OutboxMessage | None:
    """Takes a due row for the length of a lease; a second relay skips it and takes another."""
    with transaction.atomic():
        due = due_rows(now=now)
        if connection.features.has_select_for_update_skip_locked:
            due = due.select_for_update(skip_locked=True, of=("self",))
        taken = due.values_list("id", flat=True).first()
        if taken is None:
            return None
        OutboxMessage.objects.filter(pk=taken).update(available_at=now + LEASE, attempts=F("attempts") + 1)
    return OutboxMessage.objects.select_related("event__relationship", "event__payload").get(pk=taken)


def delivered(message: OutboxMessage, *, now: datetime) -> bool:
    """Hands one message to its deliverer; a failure is kept on the row with the time of the next try."""
    try:
        DELIVERERS[message.destination.partition(":")[0]](message)
    except Abandoned as problem:
        end(message, abandoned_at=now, last_error=problem.reason)
    except Postponed as problem:  # no fault of the message's: the wait is not counted against it
        end(message, available_at=problem.until, attempts=message.attempts - 1, last_error=problem.reason)
    except Exception as problem:  # whatever a deliverer raises, the others' messages still go
        put_off(message, str(problem) if isinstance(problem, RemoteFailure) else type(problem).__name__, now=now)
    else:
        return end(message, delivered_at=now, last_error="")
    return False


def put_off(message: OutboxMessage, problem: str, *, now: datetime, **columns: object) -> None:
    """Later, longer each time, for a day."""
    if now - message.created_at > GIVE_UP_AFTER:
        end(message, abandoned_at=now, last_error=f"gave up: {problem}", **columns)
    else:
        wait = min(MAX_BACKOFF, timedelta(seconds=2 ** min(message.attempts, 12)))
        end(message, available_at=now + wait, last_error=problem, **columns)


def end(message: OutboxMessage, *, last_error: str, **columns: object) -> bool:
    """Writes how a try ended, unless the lease ran out and the row is another relay's, or settled, by now."""
    ours = OutboxMessage.objects.filter(UNSETTLED, pk=message.pk, attempts=message.attempts)
    return bool(ours.update(last_error=last_error[:200], **columns))
