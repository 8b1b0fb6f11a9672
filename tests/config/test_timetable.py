"""Celery's timetable names tasks that exist, on queues that are served."""

from django.conf import settings

from config import stack
from config.celery import app


def test_every_timed_task_exists() -> None:
    app.loader.import_default_modules()
    timed = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert timed <= set(app.tasks)


def test_every_queue_has_a_worker_in_the_production_shape() -> None:
    served = {
        queue
        for command in stack.commands(servers=2, fd=3).values()
        for queue in (command[command.index("--queues") + 1].split(",") if "--queues" in command else [])
    }
    assert served == {queue.name for queue in settings.CELERY_TASK_QUEUES}
    routed = {route["queue"] for route in settings.CELERY_TASK_ROUTES.values()}
    assert {settings.CELERY_TASK_DEFAULT_QUEUE, *routed} <= served


def test_tasks_survive_their_worker() -> None:
    assert (app.conf.task_acks_late, app.conf.task_reject_on_worker_lost) == (True, True)
    assert app.conf.worker_prefetch_multiplier == 1
    assert app.conf.accept_content == ["json"]
