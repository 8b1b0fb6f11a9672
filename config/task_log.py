"""Every background task in the log and in the counts, under the request that caused it."""

import time
from typing import Any

import structlog
from celery import Celery, Task

from config.instruments import TASKS

log = structlog.get_logger("lastword.task")
HEADER = "request_id"


class LoggedTask(Task):
    """Binds the request's id, or the task's own, to every line logged while it runs."""

    abstract = True

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        began, outcome = time.perf_counter(), "failed"
        request_id = (self.request.headers or {}).get(HEADER) or self.request.id
        # a task names its conversation when it locks one: named here, it is put back to nothing after
        with structlog.contextvars.bound_contextvars(request_id=request_id, task=self.name, relationship_id=None):
            try:
                result = self.run(*args, **kwargs)
                outcome = "done"
                return result
            finally:
                TASKS.labels(self.name, outcome).inc()
                log.info("task", outcome=outcome, ms=round((time.perf_counter() - began) * 1000, 1))


class LoggingCelery(Celery):
    """Sends the id of the request, or task, that asked for a task along with it."""

    task_cls = LoggedTask

    def send_task(self, name: str, *args: Any, **options: Any) -> Any:
        if request_id := structlog.contextvars.get_contextvars().get("request_id"):
            options["headers"] = {HEADER: request_id, **(options.get("headers") or {})}
        return super().send_task(name, *args, **options)
