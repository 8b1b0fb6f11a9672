"""What starts with the server, in which order, and what is refused before that."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from config.application import Application
from config.celery import app as celery
from config.datalock import DataFolderInUse, DataLock
from config.embedded import EmbeddedCelery
from config.lifespan import Lifespan, Service
from conversations.services.deliveries import WORK_TASK
from tests.config.asgi_client import Client, until


class Server:
    """The server's side of the lifespan protocol."""

    def __init__(self, lifespan: Lifespan) -> None:
        self.inbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.answers: list[dict[str, Any]] = []
        self.task = asyncio.create_task(lifespan({"type": "lifespan"}, self.inbox.get, self.send))

    async def send(self, message: Any) -> None:
        self.answers.append(message)

    async def tell(self, event: str) -> dict[str, Any]:
        before = len(self.answers)
        await self.inbox.put({"type": f"lifespan.{event}"})
        await until(lambda: len(self.answers) > before)
        return self.answers[-1]


def noting(notes: list[str], name: str, *, broken: bool = False) -> Service:
    def start() -> None:
        if broken:
            raise RuntimeError(f"{name} is broken")
        notes.append(f"start {name}")

    return Service(name, start, lambda: notes.append(f"stop {name}"))


class TestLifespan:
    async def test_services_start_in_order_and_stop_in_the_opposite_order(self) -> None:
        notes: list[str] = []
        loops: list[Any] = []
        lifespan = Lifespan([noting(notes, "a"), noting(notes, "b")], loops.append)
        server = Server(lifespan)
        assert await server.tell("startup") == {"type": "lifespan.startup.complete"}
        assert lifespan.started
        assert loops == [asyncio.get_running_loop()]
        assert await server.tell("shutdown") == {"type": "lifespan.shutdown.complete"}
        assert notes == ["start a", "start b", "stop b", "stop a"]
        assert not lifespan.started

    async def test_a_service_that_cannot_start_stops_the_others_and_the_server(self) -> None:
        notes: list[str] = []
        lifespan = Lifespan([noting(notes, "a"), noting(notes, "b", broken=True)], lambda _loop: None)
        answer = await Server(lifespan).tell("startup")
        assert answer == {"type": "lifespan.startup.failed", "message": "b is broken"}
        assert notes == ["start a", "stop a"]

    async def test_a_service_that_does_not_stop_cleanly_does_not_keep_the_others(self) -> None:
        notes: list[str] = []
        stubborn = Service("stubborn", lambda: None, lambda: 1 / 0)
        server = Server(Lifespan([noting(notes, "a"), stubborn], lambda _loop: None))
        await server.tell("startup")
        assert await server.tell("shutdown") == {"type": "lifespan.shutdown.complete"}
        assert notes == ["start a", "stop a"]


class TestDispatch:
    async def answered(self, *, needs_lifespan: bool, started: bool) -> list[str]:
        reached: list[str] = []

        async def http(scope: Any, receive: Any, send: Any) -> None:
            reached.append(scope["type"])

        lifespan = Lifespan([], lambda _loop: None)
        lifespan.started = started
        application = Application(http, http, lifespan, needs_lifespan)  # type: ignore[arg-type]
        self.client = await Client("/healthz").of(application)
        self.socket = Client("/ws/live")
        await application({"type": "websocket"}, self.socket.receive, self.socket.send)
        return reached

    async def test_both_kinds_of_connection_reach_their_handlers(self) -> None:
        assert await self.answered(needs_lifespan=True, started=True) == ["http", "websocket"]
        assert await self.answered(needs_lifespan=False, started=False) == ["http", "websocket"]

    async def test_embedded_mode_serves_nothing_without_its_services(self) -> None:
        assert await self.answered(needs_lifespan=True, started=False) == []
        assert self.client.status == 503
        assert b"not_started" in self.client.body
        assert self.socket.sent == [{"type": "websocket.close", "code": 1013}]


class TestDataLock:
    def test_a_second_server_on_the_same_folder_is_refused(self, tmp_path: Path) -> None:
        first, second = DataLock(tmp_path / "lock"), DataLock(tmp_path / "lock")
        first.acquire()
        with pytest.raises(DataFolderInUse, match="one worker"):
            second.acquire()
        first.release()
        second.acquire()
        second.release()


@pytest.mark.sqlite
class TestEmbeddedCelery:
    @pytest.fixture
    def done(self) -> Iterator[list[str]]:
        """The site's own Celery with one task of ours, also on the timetable."""
        noted: list[str] = []

        def note(what: str) -> None:
            noted.append(what)

        celery.task(name="trial.note", shared=False)(note)
        real = celery.conf.beat_schedule
        celery.conf.beat_schedule = {"tick": {"task": "trial.note", "schedule": 0.2, "args": ("tick",)}}
        yield noted
        celery.conf.beat_schedule = real
        celery.tasks.pop("trial.note")

    async def test_tasks_and_the_timetable_run_and_stop_in_time(self, done: list[str]) -> None:
        embedded = EmbeddedCelery(celery, concurrency=2)
        await asyncio.to_thread(embedded.start)
        try:
            queues = [queue.name for queue in celery.conf.task_queues]
            for queue in queues:
                await asyncio.to_thread(celery.send_task, "trial.note", (queue,), queue=queue)
            await until(lambda: {*queues, "tick"} <= set(done))
        finally:
            await asyncio.to_thread(embedded.stop)
        left = [thread.name for thread in threading.enumerate() if thread.name.startswith("celery-")]
        assert left == [], "both ended inside their two seconds"
        assert [done.count(queue) for queue in queues] == [1, 1, 1]
        settled = len(done)
        await asyncio.sleep(0.5)
        assert len(done) == settled

    async def test_a_burst_of_webhooks_does_not_keep_the_timetable_waiting(self, done: list[str]) -> None:
        celery.conf.beat_schedule = {}
        tasks = [WORK_TASK] * 40 + ["conversations.sweep_expired"]
        for task in tasks:
            queue = celery.amqp.router.route({}, task)["queue"].name
            await asyncio.to_thread(celery.send_task, "trial.note", (task,), queue=queue)
        embedded = EmbeddedCelery(celery, concurrency=1)
        await asyncio.to_thread(embedded.start)
        try:
            await until(lambda: len(done) == len(tasks))
        finally:
            await asyncio.to_thread(embedded.stop)
        assert done.index("conversations.sweep_expired") < 5, "they take turns"
