"""The one-hop handler: answers that come in pieces."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

from config.onehop import delivery
from tests.config import onehop_urls
from tests.config.asgi_client import Client, until

pytestmark = pytest.mark.urls("tests.config.onehop_urls")


class TestStreams:
    @pytest.mark.parametrize("path", ["/streams", "/ticks"])
    async def test_chunks_arrive_in_order_and_the_iterator_is_closed(self, make: Any, path: str) -> None:
        client = await Client(path).of(make())
        assert (client.body, len(client.sent)) == (b"0;1;2;", 5)
        assert "closed" in onehop_urls.notes

    async def test_a_client_that_does_not_read_holds_the_iterator_back(self, make: Any) -> None:
        client = Client("/streams", query=b"n=50", reads=3)
        serving = asyncio.create_task(client.of(make()))
        await until(lambda: len(client.sent) == 3)
        await asyncio.sleep(0.05)
        held = len(onehop_urls.notes)
        await asyncio.sleep(0.05)
        assert len(onehop_urls.notes) == held < 50
        client.reading.set()
        await serving
        assert client.body.count(b";") == 50

    @pytest.mark.parametrize("path", ["/streams", "/ticks"])
    async def test_a_client_that_leaves_ends_the_iterator(self, make: Any, path: str) -> None:
        client = Client(path, query=b"n=100000")
        serving = asyncio.create_task(client.of(make()))
        await until(lambda: len(client.sent) >= 3)
        client.leave()
        async with asyncio.timeout(5):
            await serving
        assert onehop_urls.notes[-1] == "closed"
        assert len(onehop_urls.notes) < 100_000

    async def test_a_client_that_stalls_for_too_long_is_dropped(self, make: Any, monkeypatch: Any) -> None:
        monkeypatch.setattr(delivery, "STALL_SECONDS", 0.1)
        monkeypatch.setattr(delivery, "POLL_SECONDS", 0.02)
        client = Client("/streams", query=b"n=9")
        client.reading.clear()
        onehop = make(threads=1)
        async with asyncio.timeout(5):
            await client.of(onehop)
        assert client.sent == []
        assert (await Client("/echo").of(onehop)).status == 200

    async def test_a_server_that_cancels_ends_the_iterator(self, make: Any) -> None:
        client = Client("/streams", query=b"n=100000")
        serving = asyncio.create_task(client.of(make()))
        await until(lambda: len(client.sent) >= 3)
        serving.cancel()
        with pytest.raises(asyncio.CancelledError):
            await serving
        await until(lambda: "closed" in onehop_urls.notes)

    async def test_a_small_file_is_sent_whole_and_does_not_occupy_a_thread(self, make: Any) -> None:
        client = await Client("/file").of(make())
        assert client.body == Path(onehop_urls.__file__).read_bytes()
        assert len(client.sent) == 2

    async def test_a_large_file_is_streamed(self, make: Any, monkeypatch: Any) -> None:
        monkeypatch.setattr(delivery, "FILE_IN_MEMORY_BYTES", 10)
        client = await Client("/file").of(make())
        assert client.body == Path(onehop_urls.__file__).read_bytes()
        assert len(client.sent) > 2
