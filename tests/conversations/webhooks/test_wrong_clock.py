"""A server's clock ran an hour ahead: what it left behind is not held back for that hour."""

from datetime import timedelta

import pytest
from django.utils import timezone

from conversations.models import Channel, Delivery, OutboxMessage, WebhookSubscription
from conversations.services import deliveries, relay
from tests.cast import Actor, Opens
from tests.conversations.channels.chatwoot_world import deliver, message
from tests.conversations.channels.remote_server import Remote
from tests.conversations.webhooks.test_subscriptions import subscribed

pytestmark = pytest.mark.django_db
AN_HOUR = timedelta(hours=1)


@pytest.mark.parametrize("ahead", [timedelta(minutes=10), AN_HOUR], ids=str)
def test_what_a_clock_ahead_announced_is_told_now(
    router: Actor, receiver: Remote, opened: Opens, ahead: timedelta
) -> None:
    subscribed(router, receiver, "*")
    opened()
    OutboxMessage.objects.update(available_at=timezone.now() + ahead)
    relay.relay()
    assert len(receiver.calls) == 1


def test_a_pause_that_ends_an_hour_ahead_is_none(router: Actor, receiver: Remote, opened: Opens) -> None:
    subscribed(router, receiver, "*")
    WebhookSubscription.objects.update(open_until=timezone.now() + AN_HOUR)
    opened()
    relay.relay()
    assert len(receiver.calls) == 1


def test_a_pause_somebody_meant_is_kept(router: Actor, receiver: Remote, opened: Opens) -> None:
    subscribed(router, receiver, "*")
    opened()
    relay.tell_audience(now=timezone.now())
    OutboxMessage.objects.update(available_at=timezone.now() + relay.MAX_BACKOFF)
    relay.relay()
    assert not receiver.calls


def test_a_delivery_received_an_hour_ahead_is_worked_now(inbox: Channel) -> None:
    deliver(inbox.webhook_path, message(1, "Hello"))
    Delivery.objects.update(available_at=timezone.now() + AN_HOUR)
    assert deliveries.work_due() == 1
