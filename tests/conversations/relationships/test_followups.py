"""Going on after the end: a new relationship that refers to the old one (R11)."""

import pytest

from tests.cast import INITIATOR, RESPONDER, Actor, Clock, Opens, accepted, refused
from tests.invariants import snapshot

pytestmark = pytest.mark.django_db

LATER = {"id": "appt_2", "start": "2025-11-29T14:00:00Z", "end": "2025-11-29T14:30:00Z", "subject": "Decision"}


def closed(router: Actor, path: str) -> str:
    accepted(router.post(f"{path}/close", {"closure_type": "incomplete"}))
    return path


def test_a_follow_up_copies_the_parties_and_carries_what_went_before(
    router: Actor, initiator: Actor, opened: Opens, clock: Clock
) -> None:
    path = opened(roles={"bank": "adviser"}, level=2, timebox_hours=6, max_depth=3)
    initiator.post(f"{path}/intents", {"intent": "offer", "context": {"open_items": ["decision"]}})
    previous = accepted(router.get(closed(router, path)))
    followup = accepted(initiator.post(f"{path}/followups", {"appointment": LATER}), 201)
    assert followup["id"] != previous["id"]
    for same in ("initiator", "responder", "roles", "level", "timebox_hours", "max_depth", "driver", "channel"):
        assert followup[same] == previous[same]
    assert followup["continuation_of"] == previous["id"]
    assert (followup["conversation_state"], followup["conversation_depth"]) == ("active", 0)
    assert followup["appointment"]["id"] == "appt_2"
    assert followup["expires_at"] == "2025-11-29T14:30:00.000000Z"
    assert followup["context"] == {
        "continuation_of": previous["id"],
        "previous_summary": previous["closure_event"]["conversation_summary"],
        "open_items_from_previous": ["offer", "decision"],
        "appointment_id": "appt_2",
    }
    assert followup["humotica"].startswith(f"Follow-up to conversation {previous['id'][:8]}... - ")
    assert accepted(router.get(path))["continued_by"] == [followup["id"]]


def test_its_chain_says_that_it_continues(router: Actor, opened: Opens) -> None:
    path = closed(router, opened())
    followup = accepted(router.post(f"{path}/followups"), 201)
    created, continuation = accepted(router.get(f"/relationships/{followup['id']}/events"))["results"]
    assert (created["type"], continuation["type"]) == ("fir_a_created", "fir_a_continuation")
    assert set(continuation["payload"]) == {"previous_fir_a_id", "continuation_reason", "timestamp"}
    assert continuation["payload"]["previous_fir_a_id"] == path.rpartition("/")[2]
    assert followup["head"] == {"seq": 2, "hash": continuation["hash"]}


def test_fresh_intents_are_counted_from_one(router: Actor, initiator: Actor, opened: Opens) -> None:
    path = opened(max_depth=1)
    for name in ("a", "b"):
        initiator.post(f"{path}/intents", {"intent": name})
    followup = accepted(initiator.post(f"{path}/followups"), 201)
    answer = accepted(initiator.post(f"/relationships/{followup['id']}/intents", {"intent": "c"}), 201)
    assert answer["conversation_depth"] == 1


def test_an_open_conversation_has_no_follow_up(router: Actor, opened: Opens) -> None:
    path = opened()
    before = snapshot()
    refused(router.post(f"{path}/followups"), 409, "conversation_not_closed")
    assert snapshot() == before


def test_an_expired_one_is_ended_and_continued_at_once(router: Actor, opened: Opens, clock: Clock) -> None:
    path = opened()
    clock.advance(hours=25)
    followup = accepted(router.post(f"{path}/followups"), 201)
    previous = accepted(router.get(path))
    assert previous["closure_event"]["closure_type"] == "expired"
    assert followup["continuation_of"] == previous["id"]


def test_only_one_follow_up_is_active_at_a_time(router: Actor, opened: Opens) -> None:
    path = closed(router, opened())
    first = accepted(router.post(f"{path}/followups"), 201)
    before = snapshot()
    problem = refused(router.post(f"{path}/followups"), 409, "followup_active")
    assert problem["followup"] == first["id"]
    assert snapshot() == before
    closed(router, f"/relationships/{first['id']}")
    second = accepted(router.post(f"{path}/followups"), 201)
    assert accepted(router.get(path))["continued_by"] == [first["id"], second["id"]]


def test_a_follow_up_whose_time_is_over_does_not_block_the_next(router: Actor, opened: Opens, clock: Clock) -> None:
    path = closed(router, opened(timebox_hours=1))
    first = accepted(router.post(f"{path}/followups"), 201)
    clock.advance(hours=2)
    second = accepted(router.post(f"{path}/followups"), 201)
    ended = accepted(router.get(f"/relationships/{first['id']}"))
    assert ended["closure_event"]["closure_type"] == "expired"
    assert accepted(router.get(path))["continued_by"] == [first["id"], second["id"]]


def test_a_level_that_demands_an_appointment_demands_it_again(router: Actor, opened: Opens, clock: Clock) -> None:
    window = {"start": "2025-11-27T14:00:00Z", "end": "2025-11-27T15:00:00Z"}
    path = closed(router, opened(level=4, appointment=window))
    before = snapshot()
    problem = refused(router.post(f"{path}/followups"), 422, "invalid")
    assert problem["errors"][0]["field"] == "appointment"
    assert snapshot() == before
    accepted(router.post(f"{path}/followups", {"appointment": LATER}), 201)


def test_lineage_is_the_whole_chain_from_any_member_oldest_first(router: Actor, opened: Opens, clock: Clock) -> None:
    opened()
    paths = [closed(router, opened())]
    for _ in range(3):
        clock.advance(seconds=1)
        followup = accepted(router.post(f"{paths[-1]}/followups"), 201)
        paths.append(closed(router, f"/relationships/{followup['id']}"))
    expected = [path.rpartition("/")[2] for path in paths]
    for path in paths:
        results = accepted(router.get(f"{path}/lineage"))["results"]
        assert [member["id"] for member in results] == expected
    assert {(member["initiator"], member["responder"]) for member in results} == {(INITIATOR, RESPONDER)}
