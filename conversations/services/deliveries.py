"""Webhooks: judged and kept while the other side waits, worked afterwards, each to one effect.

A delivery is worked by whoever moves its time ahead; a process that dies leaves it to be taken again when the lease is
over. What its work changes commits together with its end, or is known by its message id: repeating it repeats nothing.
"""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import inf
from uuid import UUID

from celery import current_app
from django.db import IntegrityError, transaction
from django.db.models import F
from django.utils import timezone

from conversations.channels.heard import Envelope, Payload, UnreadableDelivery
from conversations.channels.registry import ADAPTERS
from conversations.channels.signatures import Signature
from conversations.domain.errors import ConversationError, InvalidTermsError
from conversations.domain.strict_json import strict_json
from conversations.domain.times import WRONG_CLOCK
from conversations.models import Channel, Delivery
from conversations.selectors.channels import channel_at, delivery_by
from conversations.services.channel_acts import REPEATABLE, Outcome, act_on
from conversations.services.sealing import unsealed

WORK_TASK = "conversations.work_delivery"
LEASE = timedelta(seconds=60)
SWEEP_BATCH = 500
MAX_ATTEMPTS = 6
MAX_BACKOFF = timedelta(minutes=5)
REPLAYABLE = (Delivery.Status.FAILED, Delivery.Status.UNREADABLE, Delivery.Status.IGNORED)
KEPT_OF_REFUSED = 4_096
REFUSED_PER_MINUTE = 600
REFUSED_KEPT_FOR = timedelta(days=7)
KEPT_HEADERS = (
    "Content-Type",
    "User-Agent",
    "X-Chatwoot-Timestamp",
    "X-Chatwoot-Delivery",
    "X-Slack-Request-Timestamp",
    "X-Slack-Retry-Num",
    "X-Slack-Retry-Reason",
)


class WebhookRefusedError(ConversationError):
    code = "unauthorized"
    status = 401
    title = "The webhook's signature was not accepted"


class NotReplayableError(ConversationError):
    code = "not_replayable"
    title = "This delivery cannot be worked again"


@dataclass(frozen=True, slots=True)
class Received:
    """What the other side is told at once."""

    delivery: Delivery
    challenge: str | None = None


def receive(
    *, kind: str, inbox: str, headers: Mapping[str, str], body: bytes, path_secret: str | None = None
) -> Received:
    """Keeps a webhook and has it worked. Raises for an unknown inbox, and for a signature that does not hold."""
    channel = channel_at(kind, inbox)
    now = timezone.now()
    verify = ADAPTERS[kind].verify
    signature = verify(headers, body, secret=unsealed(channel.secret_sealed), now=now, path_secret=path_secret)
    arrived = Delivery(
        channel=channel,
        received_at=now,
        available_at=now,
        headers={name: headers[name][:200] for name in KEPT_HEADERS if name in headers},
        body=body,
        signature=signature,
    )
    if not signature.accepted:
        raise refused(arrived, signature)
    try:
        envelope = ADAPTERS[kind].envelope(payload_of(body), headers, body)
    except UnreadableDelivery as problem:
        return Received(kept_unreadable(arrived, problem.reason))
    arrived.event = envelope.event
    if envelope.challenge is not None:
        return Received(ended(arrived, Delivery.Status.IGNORED, "challenge"), challenge=envelope.challenge)
    return Received(kept_once(arrived, envelope))


def payload_of(body: bytes) -> Payload:
    try:
        payload = strict_json(body)
    except InvalidTermsError as problem:
        raise UnreadableDelivery(problem.detail[:300]) from problem
    if not isinstance(payload, dict):
        raise UnreadableDelivery("the body is no object")
    return payload


def refused(arrived: Delivery, signature: Signature) -> WebhookRefusedError:
    """Kept in short and up to a number a minute, so that a stranger cannot fill the table."""
    since = arrived.received_at - timedelta(minutes=1)
    recent = Delivery.objects.filter(
        channel=arrived.channel, received_at__gt=since, status=Delivery.Status.REFUSED
    ).count()
    if recent < REFUSED_PER_MINUTE:
        arrived.body = bytes(arrived.body)[:KEPT_OF_REFUSED]
        ended(arrived, Delivery.Status.REFUSED, f"signature_{signature}")
    return WebhookRefusedError(f"The signature is {signature}.", signature=signature)


def kept_unreadable(arrived: Delivery, reason: str) -> Delivery:
    return ended(arrived, Delivery.Status.UNREADABLE, reason)


def ended(arrived: Delivery, status: str, reason: str) -> Delivery:
    """A delivery that needs no work."""
    arrived.status, arrived.verdict, arrived.reason = status, status, reason[:300]
    arrived.worked_at = arrived.received_at
    arrived.save(force_insert=True)
    return arrived


def kept_once(arrived: Delivery, envelope: Envelope) -> Delivery:
    """The first of its kind is to be worked; a repetition is kept as one, and told the same."""
    arrived.dedupe_key = envelope.dedupe_key
    try:
        with transaction.atomic():
            arrived.save(force_insert=True)
            transaction.on_commit(lambda: wake_worker(arrived.pk), robust=True)
            return arrived
    except IntegrityError:
        first = Delivery.objects.get(channel=arrived.channel, dedupe_key=envelope.dedupe_key)
    arrived.dedupe_key, arrived.duplicate_of = None, first
    return ended(arrived, Delivery.Status.DUPLICATE, "already_received")


def wake_worker(delivery_id: UUID) -> None:
    """Only a wake-up: what the broker loses, the sweep finds."""
    current_app.send_task(WORK_TASK, args=[str(delivery_id)], expires=60)


def work_due(*, seconds: float = inf) -> int:
    """Works every delivery that waits, whoever lost it; after `seconds` the rest is the next run's.

    Returns how many were ended.
    """
    ended_now, ends = 0, time.monotonic() + seconds
    forget_wrong_clocks(now=timezone.now())
    while due := due_ids(now=timezone.now()):
        for delivery_id in due:
            if time.monotonic() >= ends:
                return ended_now
            ended_now += work(delivery_id)
    return ended_now


def forget_wrong_clocks(*, now: datetime) -> None:
    """What waits for a time nobody meant is due now."""
    waiting = Delivery.objects.filter(status=Delivery.Status.RECEIVED, available_at__gt=now + WRONG_CLOCK)
    waiting.update(available_at=now)


def due_ids(*, now: datetime) -> list[UUID]:
    due = Delivery.objects.filter(status=Delivery.Status.RECEIVED, available_at__lte=now)
    return list(due.order_by("available_at", "received_at").values_list("id", flat=True)[:SWEEP_BATCH])


def work(delivery_id: UUID) -> bool:
    """Works one delivery, unless another process has it. True when it has come to its end."""
    delivery = taken(delivery_id, now=timezone.now())
    if delivery is None:
        return False
    try:
        return worked(delivery)
    except UnreadableDelivery as problem:
        return finished(delivery, Outcome(Delivery.Status.UNREADABLE, "unreadable", problem.reason))
    except Exception as problem:  # whatever went wrong, it is tried again, then kept for a person to replay
        put_off(delivery, type(problem).__name__)
        return False


def taken(delivery_id: UUID, *, now: datetime) -> Delivery | None:
    """Takes the lease; of several at once only one gets it."""
    waiting = Delivery.objects.filter(pk=delivery_id, status=Delivery.Status.RECEIVED, available_at__lte=now)
    if not waiting.update(available_at=now + LEASE, attempts=F("attempts") + 1):
        return None
    return delivery_by(delivery_id)


def worked(delivery: Delivery) -> bool:
    channel: Channel = delivery.channel
    heard = ADAPTERS[channel.kind].read(payload_of(bytes(delivery.body)))
    if isinstance(heard, REPEATABLE):
        return finished(delivery, act_on(channel, heard))
    with transaction.atomic():
        done = finished(delivery, act_on(channel, heard))
        if not done:  # the lease ran out and somebody else ended it: what was done here did not happen
            transaction.set_rollback(True)
        return done


def finished(delivery: Delivery, outcome: Outcome) -> bool:
    """Writes the end, if the delivery is still ours to end."""
    ours = Delivery.objects.filter(pk=delivery.pk, status=Delivery.Status.RECEIVED, attempts=delivery.attempts)
    return bool(
        ours.update(
            status=outcome.status,
            verdict=outcome.verdict,
            reason=outcome.reason[:300],
            relationship=outcome.relationship,
            worked_at=timezone.now(),
        )
    )


def put_off(delivery: Delivery, problem: str) -> None:
    """A failure waits longer each time; after the last try it stays failed until somebody replays it."""
    again = timezone.now() + min(MAX_BACKOFF, timedelta(seconds=2**delivery.attempts))
    last = delivery.attempts >= MAX_ATTEMPTS
    ours = Delivery.objects.filter(pk=delivery.pk, status=Delivery.Status.RECEIVED, attempts=delivery.attempts)
    ours.update(
        available_at=again,
        reason=problem[:300],
        **({"status": Delivery.Status.FAILED, "verdict": "failed"} if last else {}),
    )


def replay(*, delivery_id: UUID) -> Delivery:
    """Has a delivery worked once more that had no effect: it failed, could not be read, or was left alone."""
    with transaction.atomic():
        delivery = Delivery.objects.select_for_update(of=("self",)).filter(pk=delivery_by(delivery_id).pk).get()
        if delivery.status not in REPLAYABLE:
            raise NotReplayableError(f"It is {delivery.status}.", delivery_status=delivery.status)
        if delivery.dedupe_key is None:
            name_again(delivery)
        delivery.status, delivery.verdict, delivery.reason = Delivery.Status.RECEIVED, "", "replayed"
        delivery.attempts, delivery.available_at = 0, timezone.now()
        delivery.save()
        transaction.on_commit(lambda: wake_worker(delivery.pk), robust=True)
    return delivery


def name_again(delivery: Delivery) -> None:
    """What could not be read had no key: it gets the one it has by now, unless another copy was quicker."""
    body = bytes(delivery.body)
    try:
        envelope = ADAPTERS[delivery.channel.kind].envelope(payload_of(body), delivery.headers, body)
    except UnreadableDelivery as problem:
        raise NotReplayableError(f"It still cannot be read: {problem.reason}") from problem
    if Delivery.objects.filter(channel=delivery.channel, dedupe_key=envelope.dedupe_key).exists():
        raise NotReplayableError("Another copy of it was received.")
    delivery.event, delivery.dedupe_key = envelope.event, envelope.dedupe_key or None


def purge_refused() -> int:
    """Forgets refused requests after a week."""
    old = Delivery.objects.filter(status=Delivery.Status.REFUSED, received_at__lt=timezone.now() - REFUSED_KEPT_FOR)
    return int(old.delete()[0])
