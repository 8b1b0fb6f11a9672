"""What is tried again, what never is, and that trying again changes nothing twice."""

from datetime import UTC, datetime

import httpx
import lastword_client as sdk
import pytest
from lastword_client.plan import Reply
from lastword_client.retry import retry_after

from tests.client.wire import RELATIONSHIP, SENT, Outcome, Wire, answer, problem, result_of

PASSING = [
    httpx.ConnectError("refused"),
    httpx.ConnectTimeout("slow"),
    httpx.ReadTimeout("slow"),
    httpx.RemoteProtocolError("hung up"),
    problem(429, "rate_limited"),
    httpx.Response(502, html="bad gateway"),
    problem(503, "busy"),
    httpx.Response(504),
]


@pytest.mark.parametrize("passing", PASSING, ids=lambda it: getattr(it, "status_code", None) or type(it).__name__)
async def test_a_write_is_repeated_under_one_idempotency_key(wire: Wire, passing: Outcome) -> None:
    client = wire.client(passing, passing, answer(SENT, 201))
    sent = await result_of(client.send_intent("r1", "advice", {"a": 1}))
    assert sent.event.seq == 2
    assert len(wire.requests) == 3
    assert len(set(wire.keys)) == 1 and wire.keys[0]
    assert wire.bodies[0] == wire.bodies[1] == wire.bodies[2]


async def test_every_call_has_a_key_of_its_own_unless_the_caller_gives_one(wire: Wire) -> None:
    client = wire.client(*[answer(SENT, 201) for _ in range(3)])
    await result_of(client.send_intent("r1", "advice"))
    await result_of(client.send_intent("r1", "advice"))
    await result_of(client.send_intent("r1", "advice", idempotency_key="mine"))
    first, second, third = wire.keys
    assert first != second
    assert third == "mine"


async def test_a_read_is_repeated_when_the_application_failed(wire: Wire) -> None:
    client = wire.client(problem(500, "internal"), answer(RELATIONSHIP))
    assert (await result_of(client.get_relationship("r1"))).id == "r1"
    assert wire.keys == [None, None]


async def test_a_write_is_not_repeated_when_the_application_failed(wire: Wire) -> None:
    client = wire.client(problem(500, "internal"))
    with pytest.raises(sdk.ServerError):
        await result_of(client.send_intent("r1", "advice"))
    assert wire.slept == []


async def test_waits_double_up_to_the_cap_and_the_last_failure_is_raised(wire: Wire) -> None:
    policy = sdk.RetryPolicy(attempts=5, base_seconds=1, cap_seconds=3, random=lambda: 1.0)
    client = wire.client(*[problem(503, "busy")] * 5, retry=policy)
    with pytest.raises(sdk.ServerError) as refused:
        await result_of(client.send_intent("r1", "advice"))
    assert refused.value.code == "busy"
    assert wire.slept == [1, 2, 3, 3]


async def test_jitter_shortens_the_wait(wire: Wire) -> None:
    policy = sdk.RetryPolicy(base_seconds=1, random=lambda: 0.25)
    client = wire.client(problem(503, "busy"), answer(SENT, 201), retry=policy)
    await result_of(client.send_intent("r1", "advice"))
    assert wire.slept == [0.25]


async def test_a_rate_limit_is_waited_out_as_long_as_the_server_asks(wire: Wire) -> None:
    limited = problem(429, "rate_limited")
    limited.headers["Retry-After"] = "7"
    client = wire.client(limited, answer(SENT, 201))
    await result_of(client.send_intent("r1", "advice"))
    assert len(wire.slept) == 1
    assert 7 <= wire.slept[0] < 8


async def test_a_rate_limit_beyond_the_deadline_is_raised_at_once(wire: Wire) -> None:
    limited = problem(429, "rate_limited")
    limited.headers["Retry-After"] = "61"
    client = wire.client(limited)
    with pytest.raises(sdk.RateLimited) as refused:
        await result_of(client.send_intent("r1", "advice"))
    assert refused.value.retry_after == 61
    assert wire.slept == []


async def test_a_lost_write_gives_its_key_back_so_that_it_can_be_settled_later(wire: Wire) -> None:
    cause = httpx.ReadTimeout("slow")
    client = wire.client(cause, cause, retry=sdk.RetryPolicy(attempts=2))
    with pytest.raises(sdk.TransportError) as refused:
        await result_of(client.send_intent("r1", "advice"))
    assert refused.value.__cause__ is cause
    assert refused.value.idempotency_key == wire.keys[0]
    assert refused.value.status is None


async def test_the_deadline_ends_the_attempts_and_bounds_the_last_one(wire: Wire) -> None:
    policy = sdk.RetryPolicy(attempts=99, base_seconds=1, cap_seconds=1, deadline_seconds=10, random=lambda: 1.0)
    client = wire.client(*[httpx.ReadTimeout("slow")] * 99, retry=policy, timeout_seconds=4)
    wire.seconds_per_attempt = 3.0
    with pytest.raises(sdk.TransportError):
        await result_of(client.send_intent("r1", "advice"))
    assert wire.now <= 11.0
    assert [request.extensions["timeout"]["read"] for request in wire.requests] == [4, 4, 2]


async def test_what_can_never_work_is_not_repeated(wire: Wire) -> None:
    client = wire.client(httpx.UnsupportedProtocol("gopher"))
    with pytest.raises(sdk.TransportError):
        await result_of(client.health())
    assert wire.slept == []


def test_retry_after_is_read_as_seconds_or_as_a_date() -> None:
    def asked(text: str) -> float | None:
        reply = Reply(503, {"retry-after": text}, b"")
        return retry_after(reply, now=datetime(2026, 1, 1, tzinfo=UTC))

    assert asked("12") == 12.0
    assert asked("Thu, 01 Jan 2026 00:00:30 GMT") == 30.0
    assert asked("Thu, 01 Jan 2026 00:00:30 -0000") == 30.0
    assert asked("Wed, 31 Dec 2025 23:00:00 GMT") == 0.0
    assert asked("soon") is None
    assert asked("") is None
