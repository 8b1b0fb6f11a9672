"""Many writers at once against a real server: one wins by the rules, none corrupts, every answer is a proper one."""

import asyncio
from collections import Counter
from typing import Any

import httpx
import pytest

from tests.live_server import LiveServer

WRITERS = 200
PARTIES = {"initiator": "bank", "responder": "customer"}


def opened(server: LiveServer, **terms: Any) -> str:
    answer = httpx.post(
        f"{server.url}/api/v1/relationships", json={**PARTIES, **terms}, headers=bearer(server), timeout=60
    )
    assert answer.status_code == 201, answer.text
    return f"/relationships/{answer.json()['id']}"


def bearer(server: LiveServer) -> dict[str, str]:
    return {"Authorization": f"Bearer {server.key('router')}"}


def at_once(server: LiveServer, requests: list[tuple[str, dict[str, Any], dict[str, str]]]) -> list[httpx.Response]:
    """All requests on connections of their own, none waiting for another."""

    async def send() -> list[httpx.Response]:
        limits = httpx.Limits(max_connections=None)
        async with httpx.AsyncClient(headers=bearer(server), timeout=120, limits=limits) as http:
            posts = [
                http.post(f"{server.url}/api/v1{path}", json=body, headers=headers) for path, body, headers in requests
            ]
            return await asyncio.gather(*posts)

    return asyncio.run(send())


def told(answers: list[httpx.Response]) -> Counter[Any]:
    """How often each answer was given: the status where all went well, else the code."""
    return Counter(a.status_code if a.is_success else a.json()["code"] for a in answers)


def events_of(server: LiveServer, path: str) -> list[dict[str, Any]]:
    answer = httpx.get(f"{server.url}/api/v1{path}/events?limit=200", headers=bearer(server), timeout=60)
    return list(answer.json()["results"])


@pytest.fixture(autouse=True)
def everything_still_holds(server: LiveServer) -> Any:
    """The checker looks at the server's whole database after each test."""
    yield
    assert "all invariants hold" in server.manage("check_invariants")


def intent(number: int) -> dict[str, Any]:
    return {"sender": "bank", "intent": f"matter_{number}", "humotica": f"asks about matter {number}"}


def test_two_hundred_intents_at_depth_four_let_exactly_one_through(server: LiveServer) -> None:
    path = opened(server)
    for number in range(4):
        assert at_once(server, [(f"{path}/intents", intent(number), {})])[0].status_code == 201
    answers = at_once(server, [(f"{path}/intents", intent(number), {}) for number in range(4, 4 + WRITERS)])
    assert told(answers) == {201: 1, "max_depth_exceeded": 1, "conversation_closed": WRITERS - 2}
    types = [event["type"] for event in events_of(server, path)]
    assert types == ["fir_a_created", *["intent"] * 5, "conversation_closure"]


def test_one_key_sent_fifty_times_at_once_has_one_effect_and_one_answer(server: LiveServer) -> None:
    path = opened(server)
    key = {"Idempotency-Key": f"fifty times {path}"}
    answers = at_once(server, [(f"{path}/intents", intent(1), key)] * 50)
    assert told(answers) == {201: 50}
    assert len({answer.text for answer in answers}) == 1
    assert sum("Idempotent-Replayed" in answer.headers for answer in answers) == 49
    assert [event["type"] for event in events_of(server, path)] == ["fir_a_created", "intent"]


def test_a_conversation_closed_by_fifty_at_once_is_closed_by_one(server: LiveServer) -> None:
    path = opened(server)
    answers = at_once(server, [(f"{path}/close", {"closure_type": "completed"}, {})] * 50)
    assert told(answers) == {200: 1, "conversation_closed": 49}
    assert {a.json()["closure_event"]["hash"] for a in answers if not a.is_success} == {
        a.json()["hash"] for a in answers if a.is_success
    }


def test_of_thirty_follow_ups_at_once_one_is_made(server: LiveServer) -> None:
    path = opened(server)
    at_once(server, [(f"{path}/close", {"closure_type": "incomplete"}, {})])
    answers = at_once(server, [(f"{path}/followups", {}, {})] * 30)
    assert told(answers) == {201: 1, "followup_active": 29}
    made = next(a.json()["id"] for a in answers if a.is_success)
    assert {a.json()["followup"] for a in answers if not a.is_success} == {made}


def test_sweeps_and_late_writers_together_end_a_conversation_once(server: LiveServer) -> None:
    paths = [opened(server, timebox_hours=0.00001) for _ in range(10)]
    late = [(f"{path}/intents", intent(n), {}) for path in paths for n in range(3)]
    answers = at_once(server, [*late, *[("/sweep", {}, {})] * 5])
    assert set(told(answers)) == {"conversation_expired", 200}
    for path in paths:
        assert [event["type"] for event in events_of(server, path)] == ["fir_a_created", "conversation_closure"]


def test_both_parties_newcomers_in_opposite_seats_open_without_waiting_for_each_other(server: LiveServer) -> None:
    seats = [("left", "right"), ("right", "left")] * 20
    answers = at_once(server, [("/relationships", {"initiator": a, "responder": b}, {}) for a, b in seats])
    assert told(answers) == {201: 40}
