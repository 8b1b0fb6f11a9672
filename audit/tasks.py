"""The log's timetable; beat runs them all, and a lost run is made up by the next."""

from uuid import UUID

from celery import shared_task
from django.utils import timezone

from audit.services import checkpoints, indexing, retention, rollups, sequencer, verification_runs

# A run that catches up after a standstill must not keep the other tasks waiting: the next one goes on.
ROLLED_AT_ONCE = 20_000
INDEXED_AT_ONCE = 20_000
ERASED_AT_ONCE = 500


@shared_task(name="audit.sequence_leaves")
def sequence_leaves() -> None:
    """Numbers new leaves; a thousand events do not wait for the minute."""
    sequencer.sequence()
    if checkpoints.checkpoint_due():
        checkpoints.make_checkpoint(now=timezone.now())


@shared_task(name="audit.make_checkpoint")
def make_checkpoint() -> None:
    """Signs what was numbered since the last checkpoint."""
    checkpoints.make_checkpoint(now=timezone.now())


@shared_task(name="audit.roll_up")
def roll_up() -> None:
    """Counts what was numbered since the last run into the figures by day."""
    rollups.roll_up(now=timezone.now(), limit=ROLLED_AT_ONCE)


@shared_task(name="audit.index_events")
def index_events() -> None:
    """Lets the search know what was numbered since the last run."""
    indexing.index_events(limit=INDEXED_AT_ONCE)


@shared_task(name="audit.verify_ledger")
def verify_ledger(run_id: str) -> None:
    verification_runs.run_verification(UUID(run_id))


@shared_task(name="audit.verify_when_due")
def verify_when_due() -> None:
    """Once a day everything is verified, whether anybody asks or not."""
    verification_runs.verify_when_due(now=timezone.now())


@shared_task(name="audit.apply_retention")
def apply_retention() -> None:
    """Erases the words whose time is over; what is left, the next run meets."""
    retention.apply_retention(now=timezone.now(), limit=ERASED_AT_ONCE)
