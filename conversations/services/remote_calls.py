"""One POST to somebody else's server: vetted address, bounded answer, every try written down, a breaker in front."""

import json
import time
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import httpx
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from conversations.models import Channel, OutboxAttempt, OutboxMessage, WebhookSubscription
from conversations.outgoing.client import Answer, AnswerTooLarge, post_bounded, safe_client
from conversations.outgoing.url_safety import UnsafeUrl

MAX_ANSWER_BYTES = 256 * 1024
TIMEOUT_SECONDS = 10.0
OPENS_AFTER = 5
FIRST_PAUSE = timedelta(seconds=30)
LONGEST_PAUSE = timedelta(minutes=10)
MAX_RETRY_AFTER = 600
TOO_MANY_REQUESTS = 429
# What another try may mend, or somebody by correcting a setting; every other refusal is final.
PASSING = frozenset({401, 403, 408, 409, 423, 425, TOO_MANY_REQUESTS})

Guarded = Channel | WebhookSubscription


class Postponed(Exception):
    """Not now, and through no fault of the message's."""

    def __init__(self, reason: str, *, until: datetime) -> None:
        super().__init__(reason)
        self.reason = reason
        self.until = until


class Abandoned(Exception):
    """Never: trying again would not help."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class RemoteFailure(Exception):
    """It did not work this time."""


def check_breaker(remote: Guarded) -> None:
    """An open breaker lets nothing through until its time is over; then the next message is the probe."""
    if remote.resting:
        raise Postponed("breaker_open", until=remote.open_until)


def post(message: OutboxMessage, url: str, *, body: bytes, headers: Mapping[str, str]) -> Answer:
    """Makes the call and writes the try down. Raises `Abandoned` for an unsafe address, `RemoteFailure` for silence."""
    began, at = time.monotonic(), timezone.now()
    answer, error = None, ""
    try:
        answer = send(url, body=body, headers=headers)
    except UnsafeUrl as problem:
        error = problem.code
        raise Abandoned(error) from problem
    except AnswerTooLarge:
        error = "answer_too_large"
    except httpx.TimeoutException as problem:
        error = "timeout"
        raise RemoteFailure(error) from problem
    except httpx.TransportError as problem:
        error = "unreachable"
        raise RemoteFailure(error) from problem
    finally:
        OutboxAttempt.objects.create(
            message=message,
            at=at,
            status=answer.status if answer else None,
            error=error,
            duration_ms=int((time.monotonic() - began) * 1000),
        )
    return answer or Answer(status=200, body=b"")  # it was taken; only what it went on to say was too much


def send(url: str, *, body: bytes, headers: Mapping[str, str], timeout_seconds: float | None = None) -> Answer:
    allow_private, patience = settings.LASTWORD_ALLOW_PRIVATE_URLS, timeout_seconds or TIMEOUT_SECONDS
    with safe_client(allow_private=allow_private, timeout_seconds=patience) as client:
        told = {"Content-Type": "application/json", **headers}
        return post_bounded(client, url, content=body, headers=told, max_bytes=MAX_ANSWER_BYTES)


def check_status(remote: Guarded, status: int, *, retry_after: str | None) -> None:
    """Raises unless the status says it worked; keeps the breaker's account."""
    if 200 <= status < 300:
        succeeded(remote)
        return
    error = f"http_{status}"
    if status == TOO_MANY_REQUESTS:
        raise Postponed(error, until=rested(remote, retry_after))
    if status < 500 and status not in PASSING:
        raise Abandoned(error)
    failed(remote)
    raise RemoteFailure(error)


def succeeded(remote: Guarded) -> None:
    if remote.failures or remote.open_until:
        type(remote).objects.filter(pk=remote.pk).update(failures=0, open_until=None)


def failed(remote: Guarded) -> None:
    """Counts a failure; from the fifth in a row on, everybody keeps off for a while, longer each time.

    What was under way when everybody began to keep off tells nothing new, and makes the pause no longer.
    """
    rows = type(remote).objects.filter(pk=remote.pk)
    with transaction.atomic():
        known = rows.select_for_update().get()
        if known.resting:
            return
        known.failures += 1
        if known.failures >= OPENS_AFTER:
            pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** min(known.failures - OPENS_AFTER, 10))
            known.open_until = timezone.now() + pause
        known.save(update_fields=["failures", "open_until"])


def rested(remote: Guarded, retry_after: str | None) -> datetime:
    """Keeps everybody off for as long as the other side asks."""
    asked = retry_after or ""
    seconds = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 7 else 5
    until = timezone.now() + timedelta(seconds=max(1, min(seconds, MAX_RETRY_AFTER)))
    type(remote).objects.filter(pk=remote.pk).update(open_until=until)
    return until


def json_of(body: bytes) -> Mapping[str, Any]:
    """The answer as an object; empty where it is none."""
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return answer if isinstance(answer, dict) else {}
