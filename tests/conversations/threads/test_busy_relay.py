"""Agents are asked by the workers that relay: a long outbox must not keep them from it."""

from typing import Any

import pytest

from conversations import tasks
from conversations.services import relay


def test_a_run_ends_although_more_is_due_and_asks_for_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    batches, woken = 0, []

    def one_more(**_told: Any) -> int:
        nonlocal batches
        batches += 1
        assert batches < 1_000_000, "the run never ends"
        return 1

    monkeypatch.setattr(relay, "relay_batch", one_more)
    monkeypatch.setattr(relay, "forget_wrong_clocks", lambda **_told: None)
    monkeypatch.setattr(tasks, "RELAY_SECONDS", 0.05)
    monkeypatch.setattr(tasks.outbox, "wake_relay", lambda: woken.append(True))
    assert tasks.relay_outbox() == batches > 0
    assert woken == [True]
