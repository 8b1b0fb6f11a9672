"""Celery inside the server's own process: a worker and beat on a broker in memory."""

import logging
import threading
from typing import Any

from celery import Celery
from celery.beat import Scheduler, Service
from celery.platforms import EX_OK
from celery.worker import WorkController, state

log = logging.getLogger("lastword.embedded")

START_SECONDS = 10.0
STOP_SECONDS = 2.0
# Beat looks this often whether it should stop.
BEAT_WAKES_SECONDS = 0.5


class EmbeddedCelery:
    """Real tasks on the real timetable, without a process or a broker of their own.

    Both calls block, so they belong on a thread, never on the event loop.
    """

    def __init__(self, app: Celery, concurrency: int) -> None:
        self._app = app
        self._concurrency = concurrency
        self._beat: Service | None = None
        self._threads: list[threading.Thread] = []

    def start(self) -> None:
        """Start both; the worker takes tasks when this returns."""
        ready = threading.Event()

        def on_ready(_consumer: Any) -> None:
            ready.set()

        worker = WorkController(
            app=self._app,
            hostname="embedded@localhost",
            pool_cls="threads",
            concurrency=self._concurrency,
            queues=list(self._app.amqp.queues),
            ready_callback=on_ready,
            without_gossip=True,
            without_mingle=True,
            without_heartbeat=True,
        )
        self._run(worker.start, "celery-worker")
        if not ready.wait(START_SECONDS):
            raise RuntimeError("the embedded Celery worker did not start")
        self._beat = Service(self._app, scheduler_cls=Scheduler, max_interval=BEAT_WAKES_SECONDS)
        self._run(self._beat.start, "celery-beat")

    def stop(self) -> None:
        """Stop beat, let running tasks finish, stop the worker."""
        if self._beat is not None:
            self._beat.stop()
        # As Celery's own signal handlers do it: the worker finds the wish and stops itself, on its
        # own thread. It looks up when a message comes, or after two seconds, and once more after it
        # has seen the wish: two messages spare the wait.
        state.should_stop = EX_OK
        for _ in range(2):
            self._app.control.broadcast("ping", reply=False)
        for thread in self._threads:
            thread.join(STOP_SECONDS)
            if thread.is_alive():
                log.warning("did not stop in time", extra={"part": thread.name})
        self._threads.clear()
        state.should_stop = None

    def _run(self, target: Any, name: str) -> None:
        thread = threading.Thread(target=target, name=name, daemon=True)
        self._threads.append(thread)
        thread.start()
