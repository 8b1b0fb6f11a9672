"""A fixed number of long-lived threads with a bounded waiting line."""

import contextvars
import queue
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from django.db import connections

Job = tuple["Future[Any]", contextvars.Context, Callable[[], Any]]


class Saturated(Exception):
    """The waiting line is full."""


class RequestThreads:
    """Runs jobs in the order given; each thread keeps its database connections to itself."""

    def __init__(self, count: int, queue_limit: int) -> None:
        self._count = count
        self._limit = count + queue_limit
        self._jobs: queue.SimpleQueue[Job | None] = queue.SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._lock = threading.Lock()
        self._in_flight = 0
        self._closed = False

    @property
    def busy(self) -> bool:
        """Whether a job submitted now would have to wait for a thread."""
        return self._in_flight >= self._count

    def submit(self, job: Callable[[], Any], *, urgent: bool = False) -> "Future[Any]":
        """Hand a job over; cancelling the future drops it if no thread has begun it.

        An urgent job ends something already accepted, so the waiting line's limit is not for it.

        It runs in a copy of the caller's context: what one request binds to a context variable
        (language, script prefix, log fields) must not reach the next one on the same thread.
        """
        future: Future[Any] = Future()
        with self._lock:
            if self._closed or (self._in_flight >= self._limit and not urgent):
                raise Saturated
            self._in_flight += 1
            if len(self._threads) < min(self._in_flight, self._count):
                self._start_thread()
        future.add_done_callback(self._settle)
        self._jobs.put((future, contextvars.copy_context(), job))
        return future

    def close(self, timeout: float) -> bool:
        """Finish what was accepted, then end the threads; False when some did not end in time."""
        with self._lock:
            self._closed = True
            threads = list(self._threads)
        for _ in threads:
            self._jobs.put(None)
        for thread in threads:
            thread.join(timeout / len(threads))
        return not any(thread.is_alive() for thread in threads)

    def _settle(self, _future: "Future[Any]") -> None:
        with self._lock:
            self._in_flight -= 1

    def _start_thread(self) -> None:
        # Daemon: a request that outlives the grace period must not keep the process alive. Its
        # transaction is then rolled back by the database, as after a kill.
        thread = threading.Thread(target=self._work, name=f"request-{len(self._threads)}", daemon=True)
        self._threads.append(thread)
        thread.start()

    def _work(self) -> None:
        try:
            while (item := self._jobs.get()) is not None:
                future, context, job = item
                if not future.set_running_or_notify_cancel():
                    continue
                try:
                    result = context.run(job)
                except BaseException as error:
                    future.set_exception(error)
                else:
                    future.set_result(result)
                # An idle thread must not keep the last request's objects alive.
                del item, future, context, job
        finally:
            connections.close_all()
