"""The one-hop handler: threads, their waiting line and their connections."""

import asyncio
from typing import Any

import pytest
from django.core import signals

from tests.config import onehop_urls
from tests.config.asgi_client import Client, until

pytestmark = pytest.mark.urls("tests.config.onehop_urls")


class TestThreads:
    async def test_requests_run_at_the_same_time_up_to_the_number_of_threads(self, make: Any) -> None:
        onehop = make(threads=2)
        clients = [Client("/waits") for _ in range(3)]
        serving = [asyncio.create_task(client.of(onehop)) for client in clients]
        await until(lambda: onehop_urls.entered._value == 2)
        await asyncio.sleep(0.02)
        assert onehop_urls.entered._value == 2
        onehop_urls.gate.set()
        await asyncio.gather(*serving)
        assert [client.body for client in clients] == [b"waited"] * 3

    async def test_a_full_waiting_line_is_refused_at_once_and_recovers(self, make: Any) -> None:
        onehop = make(threads=1, queue_limit=1)
        serving = [asyncio.create_task(Client("/waits").of(onehop)) for _ in range(2)]
        await until(lambda: onehop_urls.entered._value == 1)
        refused = await Client("/echo").of(onehop)
        assert (refused.status, refused.header("retry-after")) == (503, "1")
        onehop_urls.gate.set()
        await asyncio.gather(*serving)
        assert (await Client("/echo").of(onehop)).status == 200

    async def test_who_leaves_the_waiting_line_is_never_served(self, make: Any) -> None:
        onehop = make(threads=1, queue_limit=1)
        first = asyncio.create_task(Client("/waits").of(onehop))
        await until(lambda: onehop_urls.entered._value == 1)
        second = Client("/waits")
        waiting = asyncio.create_task(second.of(onehop))
        await asyncio.sleep(0.02)
        second.leave()
        await waiting
        third = asyncio.create_task(Client("/echo").of(onehop))  # the place in the line is free again
        onehop_urls.gate.set()
        await first
        assert (await third).status == 200
        assert onehop_urls.notes == ["finished"]
        assert second.sent == []

    async def test_work_that_began_is_finished_although_the_client_left(self, make: Any) -> None:
        client = Client("/waits")
        serving = asyncio.create_task(client.of(make()))
        await until(lambda: onehop_urls.entered._value == 1)
        client.leave()
        onehop_urls.gate.set()
        await serving
        assert onehop_urls.notes == ["finished"]

    async def test_what_a_request_activates_does_not_reach_the_next_one(self, make: Any) -> None:
        onehop = make(threads=1)
        await Client("/speaks", query=b"language=nl").of(onehop)
        assert (await Client("/speaks", query=b"language=nl").of(onehop)).body == b"en"

    async def test_closing_finishes_what_was_accepted_and_refuses_the_rest(self, make: Any) -> None:
        onehop = make(threads=1)
        serving = asyncio.create_task(Client("/waits").of(onehop))
        await until(lambda: onehop_urls.entered._value == 1)
        closing = asyncio.create_task(asyncio.to_thread(onehop.close, 5))
        await asyncio.sleep(0.02)
        assert (await Client("/echo").of(onehop)).status == 503
        onehop_urls.gate.set()
        assert (await serving).body == b"waited"
        assert await closing is True

    async def test_closing_does_not_wait_for_ever(self, make: Any) -> None:
        onehop = make(threads=1)
        serving = asyncio.create_task(Client("/waits").of(onehop))
        await until(lambda: onehop_urls.entered._value == 1)
        assert await asyncio.to_thread(onehop.close, 0.05) is False
        onehop_urls.gate.set()
        await serving

    async def test_start_and_finish_are_signalled_once_a_request_whatever_happens(self, make: Any) -> None:
        counts = {"started": 0, "finished": 0}

        def started(**_: Any) -> None:
            counts["started"] += 1

        def finished(**_: Any) -> None:
            counts["finished"] += 1

        signals.request_started.connect(started)
        signals.request_finished.connect(finished)
        try:
            onehop = make()
            for path in ("/echo", "/fails", "/exits", "/missing", "/streams", "/ticks", "/file"):
                await Client(path).of(onehop)
            await Client("/echo", query=b"\xff").of(onehop)
        finally:
            signals.request_started.disconnect(started)
            signals.request_finished.disconnect(finished)
        assert counts == {"started": 8, "finished": 8}


@pytest.mark.django_db(transaction=True)
class TestDatabaseConnections:
    async def test_a_thread_keeps_its_connection_between_requests(self, make: Any) -> None:
        onehop = make(threads=1)
        first, second = [(await Client("/backend").of(onehop)).body for _ in range(2)]
        assert first == second

    async def test_threads_do_not_share_connections(self, make: Any) -> None:
        onehop = make(threads=2)
        clients = await asyncio.gather(*[Client("/backend", query=b"seconds=0.1").of(onehop) for _ in "ab"])
        assert len({client.body.split()[1] for client in clients}) == 2

    @pytest.mark.postgres
    async def test_a_broken_connection_is_replaced_for_the_next_request(self, make: Any) -> None:
        onehop = make(threads=1)
        assert (await Client("/breaks-connection").of(onehop)).status == 500
        assert (await Client("/backend").of(onehop)).status == 200
