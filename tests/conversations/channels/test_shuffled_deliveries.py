"""Every webhook delivered one to five times, in any order, by several at once: each has exactly one effect.

A few hundred through the webhook's own address here; `bench/deliveries.py` does the same with 10,000.
"""

import random
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import UUID

import pytest
from django.db import connections

from conversations.models import Channel, Delivery, Event, OutboxMessage
from conversations.selectors.events import as_recorded
from conversations.services import deliveries, relay
from tests.cast import Actor
from tests.conversations.channels import chatwoot_world as world
from tests.conversations.channels.remote_server import Remote

DELIVERED = 400
WORKERS = 4
SEED = 4_711


def traffic(chance: random.Random) -> tuple[list[dict[str, Any]], Counter[str]]:
    """Messages of many visitors, each copied one to five times and shuffled; and how often each is to be found."""
    copies: list[dict[str, Any]] = []
    distinct = 0
    while len(copies) < DELIVERED:
        distinct += 1
        payload = world.message(distinct, f"words {distinct}", conversation=world.conversation(1 + distinct % 29))
        copies += [payload] * chance.randint(1, 5)
    chance.shuffle(copies)
    return copies[:DELIVERED], Counter(str(copy["id"]) for copy in copies[:DELIVERED])


@pytest.mark.django_db(transaction=True)
def test_shuffled_and_repeated_deliveries_have_one_effect_each(channel: Channel, chatwoot: Remote) -> None:
    chance = random.Random(SEED)
    copies, expected = traffic(chance)
    arrived: list[str] = []

    def deliver_and_work(share: list[dict[str, Any]]) -> None:
        sender = Actor()
        try:
            for payload in share:
                answer = world.deliver(channel.webhook_path, payload, sender=sender)
                assert answer.status_code == 200, answer.content
                arrived.append(answer.json()["delivery"])
                deliveries.work(UUID(chance.choice(arrived)))  # anybody's, perhaps one that is being worked
        finally:
            connections.close_all()

    with ThreadPoolExecutor(WORKERS) as pool:
        list(pool.map(deliver_and_work, [copies[start::WORKERS] for start in range(WORKERS)]))
    deliveries.work_due()
    while relay.relay():
        pass

    turns = Counter(
        as_recorded(event).content["message_id"]
        for event in Event.objects.filter(type="turn_taken").select_related("payload")
    )
    assert turns == Counter(dict.fromkeys(expected, 1)), "one turn a message"
    by_status = Counter(Delivery.objects.values_list("status", flat=True))
    assert by_status == {"worked": len(expected), "duplicate": DELIVERED - len(expected)}
    sent = OutboxMessage.objects.filter(destination__startswith="channel:")
    assert not sent.filter(delivered_at=None, abandoned_at=None).exists()
    assert len(chatwoot.calls) == sent.exclude(delivered_at=None).count(), "each call once"
