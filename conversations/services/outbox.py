"""Side effects wait in the outbox, written in the transaction that made them true.

`on_commit` only wakes the relay: a process killed right after the commit loses the wake-up, never the row.
"""

import time
from collections.abc import Iterable
from datetime import datetime

from celery import current_app
from django.db import transaction

from conversations.models import Event, OutboxMessage
from conversations.models.outbox import AUDIENCE
from conversations.prepared import store

WAKE_EVERY_SECONDS = 0.2

_last_wake = 0.0


def announce(events: Iterable[Event], *, now: datetime, destination: str = AUDIENCE) -> None:
    """Lets the events' audience be told, once this transaction commits."""
    store([OutboxMessage(destination=destination, event=event, created_at=now, available_at=now) for event in events])
    transaction.on_commit(wake_relay, robust=True)  # the answer is true without a broker


def wake_relay() -> None:
    """Asks for a relay run soon; at most a few times a second, since one run takes everything due."""
    global _last_wake  # noqa: PLW0603 a process-wide damper, harmless when raced
    if time.monotonic() - _last_wake < WAKE_EVERY_SECONDS:
        return
    _last_wake = time.monotonic()
    current_app.send_task("conversations.relay_outbox", expires=5)


def send_again(message: OutboxMessage, *, now: datetime) -> None:
    """Has a row delivered once more, whatever became of it."""
    OutboxMessage.objects.filter(pk=message.pk).update(
        delivered_at=None, abandoned_at=None, available_at=now, created_at=now, last_error="replayed"
    )
    wake_relay()
