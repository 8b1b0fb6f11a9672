"""One event id, one effect."""

import pytest

from tests.cast import Actor, accepted, refused
from tests.conversations.threads.world import World, types_of
from tests.invariants import snapshot

pytestmark = pytest.mark.django_db
MESSAGE = {"event_id": "E1", "sender": "visitor", "text": "hello"}


def test_a_repeated_event_gets_the_stored_answer_and_changes_nothing(world: World, router: Actor) -> None:
    first = accepted(router.post("/threads/t/events", MESSAGE))
    before = snapshot()
    world.clock.advance(seconds=60)
    again = router.post("/threads/t/events", MESSAGE)
    assert accepted(again) == first
    assert again.headers["Idempotent-Replayed"] == "true"
    assert snapshot() == before


def test_an_event_id_used_for_another_message_is_refused(world: World, router: Actor) -> None:
    accepted(router.post("/threads/t/events", MESSAGE))
    before = snapshot()
    refused(router.post("/threads/t/events", {**MESSAGE, "text": "other"}), 422, "idempotency_mismatch")
    assert snapshot() == before


def test_event_ids_belong_to_their_thread(world: World, router: Actor) -> None:
    accepted(router.post("/threads/a/events", MESSAGE))
    assert accepted(router.post("/threads/b/events", MESSAGE))["turns"] == 1


def test_a_repetition_after_the_end_still_gets_its_answer(world: World, router: Actor) -> None:
    first = accepted(router.post("/threads/t/events", MESSAGE))
    accepted(router.post(f"/relationships/{first['relationship']}/close", {"closure_type": "completed"}))
    assert accepted(router.post("/threads/t/events", MESSAGE)) == first


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"event_id": ""}, "event_id"),
        ({"event_id": None}, "event_id"),
        ({"sender": ""}, "sender"),
        ({"text": 5}, "text"),
        ({"bot_id": True}, "bot_id"),
        ({"unknown": 1}, "unknown"),
        ({"ts": [1]}, "ts"),
    ],
)
def test_a_senseless_message_is_refused_and_opens_nothing(
    world: World, router: Actor, change: dict, field: str
) -> None:
    before = snapshot()
    problem = refused(router.post("/threads/t/events", {**MESSAGE, **change}), 422, "invalid")
    assert problem["errors"][0]["field"].startswith(field)
    assert snapshot() == before


@pytest.mark.parametrize("key", ["k" * 201, "bad%00key", "tab%09key"])
def test_a_senseless_key_is_refused(world: World, router: Actor, key: str) -> None:
    problem = refused(router.post(f"/threads/{key}/events", MESSAGE), 422, "invalid")
    assert problem["errors"][0]["field"] == "key"


@pytest.mark.parametrize("role", ["participant", "operator", "auditor", "editor"])
def test_only_a_router_speaks_for_threads(request: pytest.FixtureRequest, role: str) -> None:
    actor = request.getfixturevalue("initiator" if role == "participant" else role)
    refused(actor.post("/threads/t/events", MESSAGE), 403, "forbidden")


def test_the_group_of_personas_cannot_talk_to_itself(world: World, router: Actor) -> None:
    refused(router.post("/threads/t/events", {**MESSAGE, "sender": "lastword:personas"}), 422, "invalid")


def test_a_skipped_message_is_answered_the_same_again(world: World, router: Actor) -> None:
    skipped = {**MESSAGE, "subtype": "bot_message"}
    first = accepted(router.post("/threads/t/events", skipped))
    assert first["code"] == "bot_message"
    assert accepted(router.post("/threads/t/events", skipped)) == first
    assert types_of().count("thread_message") == 1
