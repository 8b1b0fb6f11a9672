"""A changed policy tried on what really happened."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from conversations.domain.times import to_text
from conversations.selectors import thread_traffic
from conversations.services.personas import create_persona
from guards.models import PolicyVersion
from tests.cast import JSON, Actor, Clock, accepted, refused
from tests.invariants import snapshot

pytestmark = pytest.mark.django_db
Says = Callable[..., dict[str, Any]]


@pytest.fixture
def says(router: Actor, clock: Clock) -> Says:
    for handle in ("ada", "ben"):
        create_persona(handle=handle)

    def say(event_id: str, key: str = "t") -> dict[str, Any]:
        return accepted(router.post(f"/threads/{key}/events", {"event_id": event_id, "sender": "visitor"}))

    return say


def try_out(editor: Actor, threads: dict[str, Any], **told: Any) -> dict[str, Any]:
    return accepted(editor.post("/guards/policy/backtest", {"policy": {"threads": threads}, **told}))


def test_the_same_policy_changes_nothing(says: Says, editor: Actor) -> None:
    says("e1")
    report = try_out(editor, {})
    assert (report["examined"], report["differing"], report["differences"]) == (1, 0, [])
    assert report["truncated"] is False


def test_a_difference_says_where_and_which_guard(says: Says, editor: Actor, router: Actor, clock: Clock) -> None:
    says("e1")
    clock.advance(seconds=5)
    answer = says("e2")
    assert answer["action"] == "reply"
    report = try_out(editor, {"grace_seconds": 6})
    (difference,) = report["differences"]
    assert (difference["event_id"], difference["thread"], difference["guards"]) == ("e2", "t", ["grace_period"])
    assert difference["before"]["action"] == "reply"
    assert difference["before"]["delay_seconds"] == answer["delay_seconds"]
    assert difference["after"] == {"action": "skip", "code": "grace_period", "persona": None, "delay_seconds": None}
    events = accepted(router.get(f"/relationships/{difference['relationship']}/events"))["results"]
    linked = next(event for event in events if event["seq"] == difference["seq"])
    assert (linked["type"], linked["payload"]["event_id"]) == ("persona_scheduled", "e2")


def test_each_message_is_compared_with_the_policy_of_its_time(says: Says, editor: Actor, clock: Clock) -> None:
    says("e1")
    body = json.dumps({"threads": {"max_turns": 1}})
    accepted(editor.call("PUT", "/guards/policy", data=body, content_type=JSON))
    clock.advance(seconds=60)
    assert says("e2")["code"] == "max_turns"
    report = try_out(editor, {"max_turns": 8})
    assert [difference["event_id"] for difference in report["differences"]] == ["e2"]


def test_only_what_happened_since_is_examined(says: Says, editor: Actor, clock: Clock) -> None:
    says("e1")
    later = clock.advance(days=3)
    says("e2", "t2")
    assert try_out(editor, {})["examined"] == 2
    assert try_out(editor, {}, since=to_text(later))["examined"] == 1
    clock.advance(days=5)
    assert try_out(editor, {})["examined"] == 1, "seven days unless told"


def test_a_look_is_bounded(says: Says, editor: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thread_traffic, "MAX_EXAMINED", 2)
    for number in range(3):
        says("e", f"t{number}")
    report = try_out(editor, {})
    assert (report["examined"], report["truncated"]) == (2, True)


def test_trying_writes_nothing(says: Says, editor: Actor) -> None:
    says("e1")
    before = snapshot()
    try_out(editor, {"max_turns": 1})
    assert snapshot() == before
    assert not PolicyVersion.objects.exists()


@pytest.mark.parametrize("policy", [{"threads": {"max_turns": 0}}, {"nonsense": {}}, {"threads": {"nonsense": 1}}])
def test_a_senseless_policy_is_refused(editor: Actor, policy: dict[str, Any]) -> None:
    assert refused(editor.post("/guards/policy/backtest", {"policy": policy}), 422, "invalid")["errors"]


@pytest.mark.parametrize("role", ["router", "operator", "auditor"])
def test_only_an_editor_tries_policies(request: pytest.FixtureRequest, role: str) -> None:
    refused(request.getfixturevalue(role).post("/guards/policy/backtest", {"policy": {}}), 403, "forbidden")


def test_an_active_window_cannot_be_replayed_and_is_said_to_be_so(says: Says, editor: Actor) -> None:
    says("e1")
    assert try_out(editor, {"active_window_minutes": 1})["not_replayed"] == ["threads.active_window_minutes"]
