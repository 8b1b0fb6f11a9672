"""What Celery runs. Each task is idempotent and may run twice at once."""

from uuid import UUID

from celery import shared_task

from conversations.services import conductor, deliveries, handoff, idempotency, outbox, relay, sweeping

# A run that lasted as long as anything waits would take every thread and leave none for the agents' answers.
RELAY_SECONDS = 2.0
# Likewise: webhooks that arrive faster than they are worked must not keep deadlines and the ledger waiting.
WORK_SECONDS = 4.0


@shared_task(name="conversations.sweep_expired")
def sweep_expired() -> int:
    return sweeping.sweep_expired()


@shared_task(name="conversations.relay_outbox")
def relay_outbox() -> int:
    """Relays for a while, then joins the end of the queue: agents whose answers are awaited wait there, too."""
    delivered = relay.relay(seconds=RELAY_SECONDS)
    if delivered:
        outbox.wake_relay()
    return delivered


@shared_task(name="conversations.release_idle_handoffs")
def release_idle_handoffs() -> int:
    return handoff.release_idle()


@shared_task(name="conversations.purge_idempotency")
def purge_idempotency() -> int:
    return idempotency.purge_idempotency()


@shared_task(name="conversations.work_delivery")
def work_delivery(delivery_id: str) -> bool:
    return deliveries.work(UUID(delivery_id))


@shared_task(name="conversations.work_deliveries")
def work_deliveries() -> int:
    return deliveries.work_due(seconds=WORK_SECONDS)


@shared_task(name="conversations.purge_refused_deliveries")
def purge_refused_deliveries() -> int:
    return deliveries.purge_refused()


@shared_task(name="conversations.post_due_replies")
def post_due_replies() -> int:
    return conductor.post_due_replies()


@shared_task(name="conversations.think_reply")
def think_reply(reply_id: str, attempt: int) -> None:
    conductor.think_reply(UUID(reply_id), attempt=attempt)
