"""The one-hop handler: what a client sends and gets."""

import json
from typing import Any

import pytest

from config.onehop import body
from tests.config.asgi_client import BODY_LIMIT, Client

pytestmark = pytest.mark.urls("tests.config.onehop_urls")


async def test_a_request_reaches_the_view_and_its_answer_the_client(make: Any) -> None:
    client = await Client(
        "/echo",
        method="POST",
        query=b"a=1",
        chunks=[b"he", b"l", b"lo"],
        scheme="https",
        headers=[(b"user-agent", b"trial"), (b"content-length", b"5")],
    ).of(make())
    seen = json.loads(client.body)
    assert client.status == 200
    assert seen | {"thread": ""} == {
        "method": "POST",
        "body": "hello",
        "query": {"a": "1"},
        "scheme": "https",
        "path_info": "/echo",
        "prefix": "/",
        "agent": "trial",
        "address": "192.0.2.7",
        "thread": "",
    }
    assert seen["thread"].startswith("request-")


async def test_a_mount_point_is_split_from_the_path(make: Any) -> None:
    client = await Client("/below/echo", root_path="/below").of(make())
    seen = json.loads(client.body)
    assert (seen["path_info"], seen["prefix"]) == ("/echo", "/below/")


async def test_every_cookie_gets_a_header_of_its_own(make: Any) -> None:
    client = await Client("/cookies").of(make())
    values = [value for name, value in client.response_headers if name == "set-cookie"]
    assert values == ["one=1; HttpOnly; Path=/", "two=2; Path=/"]


async def test_head_has_the_headers_of_get_and_no_body(make: Any) -> None:
    onehop = make()
    for path in ("/echo", "/file", "/streams", "/ticks"):
        assert (await Client(path, method="HEAD").of(onehop)).body == b""
    assert int((await Client("/echo", method="HEAD").of(onehop)).header("content-length") or 0) > 0


async def test_an_undecodable_query_is_a_bad_request(make: Any) -> None:
    client = await Client("/echo", query=b"\xff\xfe").of(make())
    assert (client.status, json.loads(client.body)["code"]) == (400, "bad_request")


class TestBodies:
    async def test_an_announced_excess_is_refused_before_anything_is_read(self, make: Any) -> None:
        client = await Client("/echo", method="POST", headers=[(b"content-length", b"1001")]).of(make())
        assert (client.status, client.received_chunks) == (413, 0)
        assert client.header("content-type") == "application/problem+json"
        assert client.header("connection") == "close"
        assert json.loads(client.body)["code"] == "body_too_large"

    async def test_an_unannounced_excess_is_refused_at_the_chunk_that_exceeds(self, make: Any) -> None:
        client = await Client("/echo", method="POST", chunks=[b"x" * 600] * 50).of(make())
        assert (client.status, client.received_chunks) == (413, 2)

    async def test_one_oversized_chunk_is_refused(self, make: Any) -> None:
        assert (await Client("/echo", method="POST", chunks=[b"x" * 1001]).of(make())).status == 413

    async def test_the_limit_itself_is_allowed(self, make: Any) -> None:
        client = await Client("/echo", method="POST", chunks=[b"x" * 400, b"y" * 600]).of(make())
        assert len(json.loads(client.body)["body"]) == BODY_LIMIT

    async def test_a_length_that_is_no_number_is_a_bad_request(self, make: Any) -> None:
        assert (await Client("/echo", headers=[(b"content-length", b"-1")]).of(make())).status == 400

    async def test_a_body_that_does_not_arrive_times_out(self, make: Any, monkeypatch: Any) -> None:
        monkeypatch.setattr(body, "RECEIVE_SECONDS", 0.05)
        assert (await Client("/echo", method="POST", chunks=[]).of(make())).status == 408

    async def test_a_client_that_leaves_while_sending_is_not_answered(self, make: Any) -> None:
        client = Client("/echo", method="POST", chunks=[])
        client.leave()
        await client.of(make())
        assert client.sent == []


class TestFailures:
    @pytest.mark.parametrize("path", ["/fails", "/exits"])
    async def test_a_view_that_raises_is_a_500_without_detail(self, make: Any, path: str) -> None:
        client = await Client(path).of(make())
        assert client.status == 500
        assert b"secret detail" not in client.body
        assert b"Traceback" not in client.body

    async def test_the_thread_serves_on_after_a_failure(self, make: Any) -> None:
        onehop = make(threads=1)
        await Client("/exits").of(onehop)
        assert (await Client("/echo").of(onehop)).status == 200

    async def test_a_stream_that_breaks_is_never_passed_off_as_complete(self, make: Any) -> None:
        client = Client("/breaks")
        with pytest.raises(ValueError, match="in the middle"):
            await client.of(make())
        assert client.sent[-1]["more_body"] is True
