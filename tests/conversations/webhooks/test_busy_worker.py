"""Webhooks that arrive faster than they are worked do not keep deadlines and the ledger waiting for ever."""

from uuid import UUID, uuid4

import pytest

from conversations import tasks
from conversations.models import Channel
from conversations.services import deliveries
from tests.conversations.channels.chatwoot_world import deliver, message


def test_a_run_ends_although_more_is_due(monkeypatch: pytest.MonkeyPatch) -> None:
    worked: list[UUID] = []

    def one_more(delivery_id: UUID) -> bool:
        worked.append(delivery_id)
        assert len(worked) < 1_000_000, "the run never ends"
        return True

    monkeypatch.setattr(deliveries, "due_ids", lambda **_told: [uuid4(), uuid4()])
    monkeypatch.setattr(deliveries, "forget_wrong_clocks", lambda **_told: None)
    monkeypatch.setattr(deliveries, "work", one_more)
    monkeypatch.setattr(tasks, "WORK_SECONDS", 0.05)
    assert tasks.work_deliveries() == len(worked) > 0


@pytest.mark.django_db
def test_what_a_run_leaves_the_next_one_works(inbox: Channel) -> None:
    deliver(inbox.webhook_path, message(1, "Hello"))
    assert deliveries.work_due(seconds=0) == 0
    assert deliveries.work_due() == 1
