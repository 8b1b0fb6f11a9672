"""A conversation ends when its time is over: by who meets it, and by the sweep (R5)."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import DjangoCaptureOnCommitCallbacks

from conversations.domain.closure import ClosureType
from conversations.models import Event, Relationship
from conversations.services import sweeping
from tests.cast import Actor, Clock, Opens, accepted, refused
from tests.invariants import snapshot

pytestmark = pytest.mark.django_db

WINDOW = {"start": "2025-11-27T14:30:00Z", "end": "2025-11-27T15:00:00Z"}


def test_every_accepted_message_moves_the_expiry(
    initiator: Actor, responder: Actor, opened: Opens, clock: Clock
) -> None:
    path = opened(timebox_hours=1)
    clock.advance(minutes=59)
    accepted(initiator.post(f"{path}/intents", {"intent": "a"}), 201)
    clock.advance(minutes=59)
    accepted(responder.post(f"{path}/responses", {"response": "ok"}), 201)
    clock.advance(minutes=60)
    told = accepted(initiator.get(path))
    assert (told["time_remaining_seconds"], told["conversation_state"]) == (0, "active")
    accepted(initiator.post(f"{path}/intents", {"intent": "at_the_last_moment"}), 201)


def test_a_refused_message_moves_nothing(responder: Actor, router: Actor, opened: Opens, clock: Clock) -> None:
    path = opened()
    before = accepted(router.get(path))["expires_at"]
    clock.advance(hours=1)
    refused(responder.post(f"{path}/intents", {"intent": "x"}), 403, "intent_direction")
    assert accepted(router.get(path))["expires_at"] == before


@pytest.mark.parametrize(
    ("who", "what", "body"),
    [
        ("initiator", "intents", {"intent": "late"}),
        ("responder", "responses", {"response": "late"}),
        ("initiator", "close", {"closure_type": "completed"}),
    ],
)
def test_who_meets_an_expired_conversation_ends_it(
    request: pytest.FixtureRequest, opened: Opens, clock: Clock, who: str, what: str, body: dict[str, str]
) -> None:
    actor, path = request.getfixturevalue(who), opened(timebox_hours=0.5)
    clock.advance(minutes=30, microseconds=1)
    problem = refused(actor.post(f"{path}/{what}", body), 409, "conversation_expired")
    stored = accepted(actor.get(path))
    assert stored["conversation_state"] == "closed"
    assert stored["closure_event"] == problem["closure_event"]
    assert problem["closure_event"]["closure_type"] == "expired"
    assert problem["re_engagement_offer"]["previous_fir_a_id"] == stored["id"]


def test_it_stays_expired_for_whoever_comes_later(initiator: Actor, opened: Opens, clock: Clock) -> None:
    path = opened()
    clock.advance(hours=25)
    first = refused(initiator.post(f"{path}/intents", {"intent": "a"}), 409, "conversation_expired")
    before = snapshot()
    again = refused(initiator.post(f"{path}/intents", {"intent": "a"}), 409, "conversation_expired")
    assert again["closure_event"] == first["closure_event"]
    assert snapshot() == before


def test_an_appointment_expires_at_its_end_whatever_happens(initiator: Actor, opened: Opens, clock: Clock) -> None:
    path = opened(level=3, appointment=WINDOW)
    clock.advance(minutes=59)
    answer = accepted(initiator.post(f"{path}/intents", {"intent": "a"}), 201)
    assert answer["expires_at"] == "2025-11-27T15:00:00.000000Z"
    clock.advance(minutes=2)
    refused(initiator.post(f"{path}/intents", {"intent": "b"}), 409, "conversation_expired")


def test_an_intent_before_the_appointment_is_refused_and_changes_nothing(
    initiator: Actor, responder: Actor, opened: Opens, clock: Clock
) -> None:
    path = opened(level=3, appointment=WINDOW)
    before = snapshot()
    problem = refused(initiator.post(f"{path}/intents", {"intent": "early"}), 409, "outside_appointment")
    assert problem["appointment_start"] == "2025-11-27T14:30:00.000000Z"
    assert snapshot() == before
    clock.advance(minutes=30)
    accepted(initiator.post(f"{path}/intents", {"intent": "on_time"}), 201)


def test_reading_an_expired_conversation_writes_nothing(router: Actor, opened: Opens, clock: Clock) -> None:
    path = opened()
    clock.advance(days=2)
    before = snapshot()
    assert accepted(router.get(path))["time_remaining_seconds"] == 0
    assert snapshot() == before


def test_the_sweep_closes_what_is_due_and_nothing_else(router: Actor, opened: Opens, clock: Clock) -> None:
    due = [opened(timebox_hours=1) for _ in range(3)]
    booked = opened(appointment=WINDOW)
    alive = opened(timebox_hours=3)
    clock.advance(hours=1)
    assert accepted(router.post("/sweep")) == {"expired": 0}, "at the very moment they are alive"
    clock.advance(microseconds=1)
    assert accepted(router.post("/sweep")) == {"expired": 4}
    for path in (*due, booked):
        stored = accepted(router.get(path))
        assert stored["closure_event"]["closure_type"] == "expired"
        assert stored["closed_at"] == "2025-11-27T15:00:00.000001Z"
        assert stored["closure_event"]["re_engagement_offer"]["previous_fir_a_id"] == stored["id"]
    assert accepted(router.get(alive))["conversation_state"] == "active"
    assert accepted(router.post("/sweep")) == {"expired": 0}


def test_the_sweep_tells_the_same_story_as_the_request_that_meets_it(
    router: Actor, initiator: Actor, opened: Opens, clock: Clock
) -> None:
    met, swept = opened(), opened()
    for path in (met, swept):
        initiator.post(f"{path}/intents", {"intent": "advice", "humotica": "Bank calls"})
    clock.advance(hours=25)
    refused(initiator.post(f"{met}/intents", {"intent": "late"}), 409, "conversation_expired")
    router.post("/sweep")
    told = [accepted(router.get(path))["closure_event"] for path in (met, swept)]
    for closure in told:
        assert closure.pop("hash")
        assert closure["re_engagement_offer"].pop("previous_fir_a_id") == closure.pop("fir_a_id")
    assert told[0] == told[1]


def test_the_sweep_takes_batch_after_batch(
    router: Actor, opened: Opens, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sweeping, "BATCH", 2)
    for _ in range(5):
        opened()
    clock.advance(hours=25)
    assert accepted(router.post("/sweep")) == {"expired": 5}


def test_a_batch_costs_the_same_however_many_it_ends(
    opened: Opens, clock: Clock, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    def cost(due: int) -> int:
        """Telling the board is part of it: it happens right after the commit."""
        for _ in range(due):
            opened(timebox_hours=1)
        clock.advance(hours=2)
        with CaptureQueriesContext(connection) as asked, django_capture_on_commit_callbacks(execute=True):
            assert sweeping.sweep_expired() == due
        return len(asked)

    assert cost(2) == cost(6)


def test_expired_is_also_a_type_one_may_close_with(router: Actor, opened: Opens) -> None:
    path = opened()
    accepted(router.post(f"{path}/close", {"closure_type": ClosureType.EXPIRED}))
    refused(router.post(f"{path}/close", {"closure_type": "completed"}), 409, "conversation_expired")


def test_a_broken_conversation_does_not_stop_the_others(
    router: Actor, opened: Opens, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    paths = [opened() for _ in range(7)]
    broken = paths[3].rpartition("/")[2]
    Relationship.objects.filter(pk=broken).update(head_hash="f" * 64)
    clock.advance(hours=25)
    assert accepted(router.post("/sweep")) == {"expired": 6}
    assert [record.relationship for record in caplog.records if record.message == "sweep_left_one_open"] == [broken]
    assert accepted(router.get(paths[3]))["conversation_state"] == "active"
    Relationship.objects.filter(pk=broken).update(head_hash=Event.objects.get(relationship=broken).hash)
    assert accepted(router.post("/sweep")) == {"expired": 1}
