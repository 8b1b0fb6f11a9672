"""Subscribers: who is told of events, what was sent to them, and sending it again."""

import re
from collections.abc import Sequence
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from conversations.domain.errors import InvalidTermsError, NotFoundError
from conversations.models import OutboxMessage, WebhookSubscription
from conversations.selectors.channels import subscription_by
from conversations.services import outbox
from conversations.services.channels import check_address
from conversations.services.onward import SUBSCRIPTION
from conversations.services.sealing import sealed

EVERYTHING = "*"
PATTERN = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,119}\*?|\*")


def create_subscription(*, url: str, events: Sequence[str], secret: str) -> WebhookSubscription:
    """A new subscriber, told of everything from now on that it asks for; no list means all."""
    check_address("url", url)
    check_patterns(events)
    return WebhookSubscription.objects.create(
        url=url, events=list(events) or [EVERYTHING], secret_sealed=sealed(secret)
    )


def change_subscription(
    *, subscription_id: UUID, url: str, events: Sequence[str], secret: str = ""
) -> WebhookSubscription:
    """Another address or other events; an empty secret leaves the stored one."""
    subscription = subscription_by(subscription_id)
    check_address("url", url)
    check_patterns(events)
    subscription.url, subscription.events = url, list(events) or [EVERYTHING]
    if secret:
        subscription.secret_sealed = sealed(secret)
    subscription.save(update_fields=["url", "events", "secret_sealed"])
    return subscription


def check_patterns(events: Sequence[str]) -> None:
    """A type nobody could ever have is refused, where it is typed."""
    for pattern in events:
        if not PATTERN.fullmatch(pattern):
            message = f"{pattern[:100]!r} is no event type, nor the beginning of one."
            raise InvalidTermsError(field="events", code="wrong_format", message=message)


def set_enabled(*, subscription_id: UUID, enabled: bool) -> WebhookSubscription:
    subscription = subscription_by(subscription_id)
    subscription.enabled = enabled
    subscription.save(update_fields=["enabled"])
    return subscription


def notices(*, subscription_id: UUID) -> QuerySet[OutboxMessage]:
    """What was or will be sent to a subscriber, newest first, with every try."""
    destination = f"{SUBSCRIPTION}:{subscription_by(subscription_id).pk}"
    rows = OutboxMessage.objects.filter(destination=destination).order_by("-id")
    return rows.select_related("event").prefetch_related("tries")


def replay_notice(*, subscription_id: UUID, notice_id: int) -> OutboxMessage:
    """Sends one notice again, whatever became of it; it keeps its id, by which the receiver knows it."""
    notice = notices(subscription_id=subscription_id).filter(pk=notice_id).first()
    if notice is None:
        raise NotFoundError("There is no such notice.")
    outbox.send_again(notice, now=timezone.now())
    notice.refresh_from_db()
    return notice
