"""Verifying everything in the background: one run at a time, progress, the first broken event named."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from urllib.parse import urlencode
from uuid import UUID

import pytest
from django.contrib.auth import get_user_model
from django.db import connections
from django.utils import timezone

from audit.models import VerificationRun
from audit.selectors.verification_runs import last_known
from audit.services import verification, verification_runs
from audit.services.verification_runs import run_verification, start_verification, verify_when_due
from conversations.access import ConsoleRole
from conversations.models import Event
from tests.console.conftest import sign_in
from tests.ledger import forger
from tests.ledger.cast import checkpoint, conversation
from tests.own_cache import empty_own_cache

pytestmark = pytest.mark.django_db


def verified() -> VerificationRun:
    run = start_verification(asked_by="user:1")
    run_verification(run.pk)
    run.refresh_from_db()
    return run


def test_a_sound_ledger_is_said_to_be_sound() -> None:
    conversation(close=True)
    checkpoint()
    run = verified()
    assert (run.status, run.report["events"], run.report["findings"]) == ("sound", 6, [])
    known = last_known()
    assert known is not None
    assert (known.status, known.broken) == ("sound", 0)


def test_the_first_broken_event_is_named() -> None:
    conversation()
    victim = conversation()
    forger.edit_payload(Event.objects.get(relationship=victim, seq=3), "{}")
    run = verified()
    first = run.report["findings"][0]
    assert (run.status, first["relationship"], first["seq"]) == ("broken", str(victim.pk), 3)
    known = last_known()
    assert known is not None
    assert known.broken == 1


def test_what_could_not_be_looked_at_is_no_all_clear(outside_record: object) -> None:
    conversation()
    checkpoint()
    outside_record.unlink()  # type: ignore[attr-defined]
    assert verified().status == "not_checked"


def test_two_who_ask_at_once_watch_the_same_run() -> None:
    assert start_verification(asked_by="user:1") == start_verification(asked_by="user:2")
    assert VerificationRun.objects.count() == 1


def test_a_run_that_ended_is_not_done_again() -> None:
    run = verified()
    run_verification(run.pk)
    assert VerificationRun.objects.get().finished_at == run.finished_at
    assert start_verification(asked_by="user:1") != run


@pytest.mark.django_db(transaction=True)  # progress is written beside the snapshot, through another connection
def test_progress_is_told_on_the_way_and_outlives_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verification, "EVERY", 1)
    for _ in range(3):
        conversation()
    checkpoint()
    seen: list[int] = []
    real = verification_runs.progress_of_run

    @contextmanager
    def watched(run_id: UUID) -> Iterator[Callable[[int], None]]:
        with real(run_id) as tell:

            def told(percent: int) -> None:
                tell(percent)
                empty_own_cache()
                seen.append(percent_seen_by_others(run_id))

            yield told

    monkeypatch.setattr(verification_runs, "progress_of_run", watched)
    run = verified()
    assert seen == [33, 66, 99]
    assert (run.percent, run.status) == (100, "sound")
    assert run.heard_at is not None


def percent_seen_by_others(run_id: UUID) -> int:
    """What a page in another process reads meanwhile."""
    other = connections.create_connection("default")
    try:
        with other.cursor() as cursor:
            pk = VerificationRun._meta.pk.get_db_prep_value(run_id, other)
            cursor.execute("SELECT percent FROM audit_verificationrun WHERE id = %s", [pk])
            return int(cursor.fetchone()[0])
    finally:
        other.close()


def test_once_a_day_nobody_has_to_ask_and_a_lost_message_is_sent_again() -> None:
    now = timezone.now()
    run = verify_when_due(now=now)
    assert run is not None
    assert verify_when_due(now=now + timedelta(minutes=11)) == run  # queued again, not made again
    run_verification(run.pk)
    assert verify_when_due(now=now + timedelta(hours=23)) == VerificationRun.objects.get()
    assert verify_when_due(now=now + timedelta(hours=25)) != run


def test_a_run_whose_worker_died_is_said_to_be_lost_and_another_is_begun() -> None:
    now = timezone.now()
    died = start_verification(asked_by="user:7")
    VerificationRun.objects.update(status="running", started_at=now, heard_at=now, percent=41)
    assert verify_when_due(now=now + timedelta(minutes=9)) == died, "it may only be slow"
    VerificationRun.objects.update(heard_at=now + timedelta(minutes=9))
    assert verify_when_due(now=now + timedelta(minutes=18)) == died, "a long run that gives signs of life is left alone"
    another = verify_when_due(now=now + timedelta(minutes=20))
    assert another is not None
    died.refresh_from_db()
    assert (died.status, died.percent, another.asked_by) == ("lost", 41, "user:7")
    run_verification(died.pk)  # its message comes after all
    died.refresh_from_db()
    assert died.status == "lost"
    assert last_known() is None
    run_verification(another.pk)
    known = last_known()
    assert known is not None
    assert known.status == "sound"


def test_who_verified_when_and_with_what_result_can_be_looked_up_later() -> None:
    rita = get_user_model().objects.create_user("rita")
    began = timezone.now()
    rows = [
        VerificationRun(
            asked_by=f"user:{rita.pk}", status="sound", created_at=began - timedelta(days=days), report={"events": days}
        )
        for days in range(45)
    ]
    VerificationRun.objects.bulk_create(rows)
    auditor = sign_in("audrey", ConsoleRole.AUDITOR)
    seen, address = 0, "/admin/console/audit/verification"
    while address:
        answer = auditor.get(address)
        seen += answer.content.decode().count("<bdi>rita</bdi>")
        older = answer.context["older"]
        address = f"/admin/console/audit/verification?{urlencode({'before': older.isoformat()})}" if older else ""
    assert seen == 45
    assert auditor.get("/admin/console/audit/verification?before=nonsense").status_code == 200
