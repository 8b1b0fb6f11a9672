"""The production shape: two server processes, PostgreSQL, and a Redis of the test's own that can go away."""

import asyncio
import socket
import subprocess
from collections.abc import Iterator

import pytest

from tests.conversations.sockets.test_board_and_inbox import presence_of
from tests.conversations.sockets.watching import Api, watching
from tests.live_server import LiveServer, serve, serve_beside

pytestmark = [pytest.mark.stack, pytest.mark.postgres]
TRY_AGAIN_LATER = 1013

# In one transaction, so that the hints of all of them leave together.
BURST = """
from django.db import transaction
from django.utils import timezone
from conversations.selectors.relationships import locked
from conversations.services.event_store import NewEvent, append
with transaction.atomic():
    relationship = locked({relationship!r})
    for number in range({times}):
        append(relationship, NewEvent("noted", "system", {{"filler": "x" * {size}}}), now=timezone.now())
"""


class Redis:
    """A Redis that keeps nothing when it stops."""

    def __init__(self) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()


@pytest.fixture(scope="module")
def redis() -> Iterator[Redis]:
    own = Redis()
    own.start()
    yield own
    own.stop()


@pytest.fixture(scope="module")
def one(redis: Redis) -> Iterator[LiveServer]:
    with serve(REDIS_URL=f"redis://127.0.0.1:{redis.port}/0") as running:
        yield running


@pytest.fixture(scope="module")
def other(one: LiveServer) -> Iterator[LiveServer]:
    with serve_beside(one) as running:
        yield running


def burst(server: LiveServer, relationship: str, times: int, size: int) -> None:
    """Events made by a process that serves nobody, as a worker does."""
    server.manage("shell", "-v", "0", "-c", BURST.format(relationship=relationship, times=times, size=size))


async def test_what_one_process_hears_the_others_watchers_see(one: LiveServer, other: LiveServer) -> None:
    here, there = Api(one, "router"), Api(other, "router")
    relationship = await here.opened()
    path, last = f"/ws/relationships/{relationship}", 81
    async with watching(one, path, api=here) as first, watching(other, path, api=there) as second:
        reading = [asyncio.create_task(each.events_until(last)) for each in (first, second)]
        await asyncio.gather(*(api.speak(relationship, 20) for api in (here, there, here, there)))
        assert await asyncio.gather(*reading) == [list(range(1, last + 1))] * 2


async def test_people_see_each_other_across_processes(one: LiveServer, other: LiveServer) -> None:
    here, there = Api(one, "operator"), Api(other, "operator")
    relationship = await Api(one, "router").opened()
    async with (
        watching(one, "/ws/inbox", api=here) as inbox,
        watching(other, f"/ws/relationships/{relationship}", api=there) as watcher,
    ):
        await watcher.say(type="viewing")
        await inbox.until(presence_of(relationship, ("test-operator", "operator", "viewing")))


async def test_a_reader_that_stops_reading_holds_nobody_up_and_misses_nothing(one: LiveServer) -> None:
    router = Api(one, "router")
    relationship = await router.opened()
    path, last = f"/ws/relationships/{relationship}", 1001
    narrow = socket.socket()
    narrow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    narrow.connect(("127.0.0.1", int(one.url.rpartition(":")[2])))
    async with (
        watching(one, path, api=router, sock=narrow, max_queue=1, ping_interval=None) as slow,
        watching(one, path, api=router) as quick,
    ):
        assert await quick.events_until(1) == await slow.events_until(1) == [1]
        await asyncio.to_thread(burst, one, relationship, 1000, 16_000)
        assert await quick.events_until(last) == list(range(1, last + 1))
        assert await slow.events_until(last) == list(range(1, last + 1))


async def test_watchers_outlive_a_redis_that_comes_back_empty(one: LiveServer, other: LiveServer, redis: Redis) -> None:
    router = Api(one, "router")
    relationship = await router.opened()
    path = f"/ws/relationships/{relationship}"
    async with (
        watching(other, path, api=router) as watcher,
        watching(other, "/ws/live", api=router) as board,
    ):
        assert await watcher.events_until(1) == [1]
        # through the door only when it is told something: tickets are redeemed in Redis
        await board.until(lambda message: message.get("id") == relationship)
        await asyncio.to_thread(redis.stop)
        async with watching(other, path, api=router) as early:
            assert await early.closed() == TRY_AGAIN_LATER
        await asyncio.to_thread(burst, one, relationship, 3, 10)
        assert await watcher.events_until(4) == [1, 2, 3, 4], "read from the database, without Redis"
        redis.start()
        await board.until(lambda message: message.get("id") == relationship and message["seq"] == 4)
        await asyncio.to_thread(burst, one, relationship, 3, 10)
        assert await watcher.events_until(7) == [1, 2, 3, 4, 5, 6, 7]
        await board.until(lambda message: message.get("id") == relationship and message["seq"] == 7)
