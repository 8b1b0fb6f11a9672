"""Verifying everything in the background: asked for, watched, remembered.

A run is a row from its asking on: who asked, how far it is, its last sign of life, how it ended. None is ever deleted:
who verified what, when and with what result can be looked up.
"""

from datetime import datetime, timedelta
from uuid import UUID

from celery import current_app
from django.db import DatabaseError, IntegrityError, transaction
from django.utils import timezone

from audit.errors import LedgerError
from audit.models import VerificationRun
from audit.selectors.tree import tree_size
from audit.services.progress import progress_of_run
from audit.services.verification import Report, verify

Status = VerificationRun.Status
SYSTEM = "system"
EVERY = timedelta(days=1)
LOST_AFTER = timedelta(minutes=10)
MAX_NAMED = 20


def start_verification(*, asked_by: str) -> VerificationRun:
    """Queues a run, or gives the one that is already under way."""
    try:
        with transaction.atomic():
            run = VerificationRun.objects.create(asked_by=asked_by, created_at=timezone.now())
    except IntegrityError:
        running = VerificationRun.objects.filter(status__in=VerificationRun.UNFINISHED).first()
        return running if running is not None else start_verification(asked_by=asked_by)
    enqueue(run.pk)
    return run


def enqueue(run_id: UUID) -> None:
    transaction.on_commit(lambda: current_app.send_task("audit.verify_ledger", args=[str(run_id)]), robust=True)


def run_verification(run_id: UUID) -> None:
    """Does the work; done twice, it says the same twice. One that has ended is left alone."""
    waiting = VerificationRun.objects.filter(pk=run_id, status__in=VerificationRun.UNFINISHED)
    now = timezone.now()
    if not waiting.update(status=Status.RUNNING, started_at=now, heard_at=now, percent=0):
        return
    total = max(1, tree_size())
    try:
        with progress_of_run(run_id) as tell:
            report = verify(progress=lambda events: tell(min(99, 100 * events // total)))
    except (DatabaseError, LedgerError) as problem:
        waiting.update(status=Status.FAILED, finished_at=timezone.now(), report={"problem": str(problem)[:300]})
        raise
    waiting.update(status=status_of(report), finished_at=timezone.now(), percent=100, report=told(report))


def status_of(report: Report) -> str:
    if report.findings:
        return Status.BROKEN
    return Status.NOT_CHECKED if report.unchecked else Status.SOUND


def told(report: Report) -> dict[str, object]:
    """What is kept of a report: counts, the first findings, what could not be checked."""
    return {
        "relationships": report.relationships,
        "events": report.events,
        "leaves": report.leaves,
        "checkpoints": report.checkpoints,
        "broken": len({finding.relationship or str(finding) for finding in report.findings}),
        "findings": [finding.as_json() for finding in report.findings[:MAX_NAMED]],
        "unchecked": report.unchecked,
    }


def verify_when_due(*, now: datetime) -> VerificationRun | None:
    """Once a day nobody has to ask. A run the broker lost is queued again; one whose worker died is said to be lost,
    and another is begun for whoever asked."""
    newest = VerificationRun.objects.first()
    if newest is not None and newest.status == Status.RUNNING and (newest.heard_at or newest.created_at) <= silent(now):
        VerificationRun.objects.filter(pk=newest.pk, status=Status.RUNNING).update(status=Status.LOST, finished_at=now)
        return start_verification(asked_by=newest.asked_by)
    if newest is None or newest.created_at <= now - EVERY:
        return start_verification(asked_by=SYSTEM)
    if newest.status == Status.QUEUED and newest.created_at <= silent(now):
        enqueue(newest.pk)
    return newest


def silent(now: datetime) -> datetime:
    """Whoever was last heard of before this is not expected to be alive."""
    return now - LOST_AFTER
