"""Words go when their time is over, events never, and an interrupted run is made up for."""

from datetime import timedelta

import pytest
from django.utils import timezone

from audit.models import RetentionPolicy, RetentionRun
from audit.services import retention
from audit.services.retention import apply_retention, set_retention
from audit.services.verification import verify
from conversations.domain.errors import InvalidTermsError
from conversations.models import Event, EventPayload
from conversations.services.erasure import erase_payloads
from tests.ledger.cast import conversation, say

pytestmark = pytest.mark.django_db

BASIS = "Art. 5(1)(e) GDPR"


def later(days: int) -> object:
    return timezone.now() + timedelta(days=days)


def in_force(days: int | None = 30) -> RetentionPolicy:
    return set_retention(days=days, basis=BASIS, author="root", now=timezone.now())


def words_left() -> int:
    return EventPayload.objects.exclude(event__type="payload_erased").count()


def test_words_are_kept_until_somebody_decides_otherwise() -> None:
    conversation(close=True)
    assert apply_retention(now=later(1000)) is None
    in_force(days=None)
    assert apply_retention(now=later(1000)) is None
    assert words_left() == 6


def test_words_of_ended_conversations_go_with_their_basis_and_the_chain_verifies() -> None:
    ended, still_open = conversation(close=True), conversation()
    policy = in_force()
    assert apply_retention(now=later(29)).payloads == 0
    run = apply_retention(now=later(31))
    assert (run.conversations, run.payloads, run.finished_at is not None) == (1, 6, True)
    assert Event.objects.filter(relationship=ended).count() == 12
    assert Event.objects.filter(relationship=still_open, payload__isnull=False).count() == 5
    mark = Event.objects.filter(relationship=ended, type="payload_erased").first()
    assert f"retention policy {policy.version}: {BASIS}" in mark.payload.text
    assert mark.actor == "system"
    assert verify().findings == []


def test_run_again_it_erases_nothing_twice() -> None:
    conversation(close=True)
    in_force()
    apply_retention(now=later(31))
    before = Event.objects.count()
    assert apply_retention(now=later(32)).payloads == 0
    assert Event.objects.count() == before


def test_interrupted_anywhere_the_next_run_meets_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(3):
        conversation(close=True)
    in_force()
    real, calls = retention.erase_payloads, []

    def killed(**told: object) -> object:
        calls.append(told)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return real(**told)

    monkeypatch.setattr(retention, "erase_payloads", killed)
    with pytest.raises(KeyboardInterrupt):
        apply_retention(now=later(31))
    assert words_left() == 12
    run = apply_retention(now=later(31))
    assert words_left() == 0
    assert run.finished_at is not None
    assert Event.objects.filter(type="payload_erased").count() == 18


def test_a_run_ends_at_its_limit_and_the_next_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(retention, "BATCH", 1)
    for _ in range(3):
        conversation(close=True)
    in_force()
    first = apply_retention(now=later(31), limit=1)
    assert (first.conversations, first.finished_at) == (1, None)
    assert apply_retention(now=later(31), limit=1).pk == first.pk
    assert words_left() == 6


def test_one_that_refuses_keeps_no_other_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    stubborn = conversation(close=True)
    conversation(close=True)
    in_force()
    real = retention.erase_payloads

    def refuses(**told: object) -> object:
        if told["relationship_id"] == stubborn.pk:
            raise ValueError("broken")
        return real(**told)

    monkeypatch.setattr(retention, "erase_payloads", refuses)
    run = apply_retention(now=later(31))
    assert (run.conversations, run.finished_at) == (1, None)
    monkeypatch.undo()
    assert apply_retention(now=later(31)).finished_at is not None
    assert words_left() == 0


def test_words_erased_by_hand_are_not_erased_again() -> None:
    ended = conversation(close=True)
    erase_payloads(relationship_id=ended.pk, seqs=[2], basis="art. 17", by="user:1", now=timezone.now())
    in_force()
    assert apply_retention(now=later(31)).payloads == 5


def test_a_rating_that_comes_after_the_run_goes_with_the_next() -> None:
    ended = conversation(close=True)
    in_force()
    apply_retention(now=later(31))
    say(ended.pk, "conversation_rated", score=5, comment="thanks, Ada")
    RetentionRun.objects.update(started_at=timezone.now() - timedelta(minutes=1))
    assert apply_retention(now=later(32)).payloads == 1


@pytest.mark.parametrize(("days", "basis"), [(0, BASIS), (36_501, BASIS), (30, " "), (30, "x" * 151)])
def test_a_senseless_policy_is_refused_and_changes_nothing(days: int, basis: str) -> None:
    in_force()
    with pytest.raises(InvalidTermsError):
        set_retention(days=days, basis=basis, author="root", now=timezone.now())
    assert RetentionPolicy.objects.get().version == 1


def test_every_change_is_a_version_of_its_own() -> None:
    assert [in_force(days).version for days in (30, 60, None)] == [1, 2, 3]
