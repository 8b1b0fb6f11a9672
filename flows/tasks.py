"""What Celery runs for flows."""

from uuid import UUID

from celery import shared_task

from flows.services.exploration import requeue_lost_explorations, run_exploration


@shared_task(name="flows.explore")
def explore(job_id: str) -> None:
    run_exploration(UUID(job_id))


@shared_task(name="flows.requeue_lost_explorations")
def requeue() -> None:
    requeue_lost_explorations()
