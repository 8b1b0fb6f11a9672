"""Looking for bad ends in the background, with progress."""

from datetime import timedelta
from uuid import UUID

from celery import current_app
from django.db import transaction
from django.utils import timezone

from flows.engine.explore import explore
from flows.errors import FlowNotFoundError
from flows.models import Exploration
from flows.selectors.flows import flow_by
from flows.selectors.limits import consecutive_cap
from flows.services.loading import loaded

LOST_AFTER = timedelta(minutes=10)
UNFINISHED = (Exploration.Status.QUEUED, Exploration.Status.RUNNING)


def start_exploration(*, slug: str) -> Exploration:
    """Queues a search over the flow's draft, which must load."""
    flow = flow_by(slug)
    loaded(flow.draft)
    job = Exploration.objects.create(flow=flow, definition=flow.draft, created_at=timezone.now())
    enqueue(job.pk)
    return job


def enqueue(job_id: UUID) -> None:
    # without a broker the job waits: lost ones are queued again by the timetable
    transaction.on_commit(lambda: current_app.send_task("flows.explore", args=[str(job_id)]), robust=True)


def run_exploration(job_id: UUID) -> None:
    """Does the search; run twice, it gives the same result twice."""
    job = Exploration.objects.get(pk=job_id)

    def report(seen: int, most: int) -> None:
        Exploration.objects.filter(pk=job_id).update(
            status=Exploration.Status.RUNNING, progress=min(99, 100 * seen // max(1, most))
        )

    report(0, 1)
    try:
        found = explore(loaded(job.definition), consecutive_cap=consecutive_cap(), progress=report)
    except Exception:
        ended(job, Exploration.Status.FAILED)
        raise
    job.result = found.to_json()
    ended(job, Exploration.Status.DONE)


def ended(job: Exploration, status: str) -> None:
    job.status, job.progress, job.finished_at = status, 100, timezone.now()
    job.save()


def requeue_lost_explorations() -> int:
    """Queues again what a broker may have lost; searching twice does no harm."""
    before = timezone.now() - LOST_AFTER
    lost = Exploration.objects.filter(status__in=UNFINISHED, created_at__lt=before).values_list("id", flat=True)
    for job_id in (found := list(lost)):
        enqueue(job_id)
    return len(found)


def exploration_by(slug: str, job_id: UUID) -> Exploration:
    found = Exploration.objects.filter(pk=job_id, flow__slug=slug).first()
    if found is None:
        raise FlowNotFoundError("There is no such job.")
    return found


def latest_exploration(slug: str) -> Exploration | None:
    return Exploration.objects.filter(flow=flow_by(slug)).first()
