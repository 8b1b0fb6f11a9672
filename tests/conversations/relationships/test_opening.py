"""A relationship is one bounded conversation, opened on terms that both sides can read (R1, R2, R5)."""

import json
from typing import Any

import pytest

from tests.cast import INITIATOR, RESPONDER, Actor, Clock, Opens, accepted, refused
from tests.invariants import snapshot

pytestmark = pytest.mark.django_db

PARTIES = {"initiator": INITIATOR, "responder": RESPONDER}
WINDOW = {
    "id": "appt_1",
    "start": "2025-11-27T14:30:00Z",
    "end": "2025-11-27T15:00:00Z",
    "subject": "Mortgage",
}
FIELDS = {
    *("id", "initiator", "responder", "roles", "context", "humotica", "level", "channel", "driver"),
    *("conversation_state", "conversation_depth", "max_depth", "timebox_hours", "appointment", "created_at"),
    *("last_activity_at", "expires_at", "time_remaining_seconds", "closed_at", "continuation_of", "continued_by"),
    *("flow", "owner", "closure_event", "head"),
}


def test_a_relationship_has_exactly_the_fields_of_the_contract(router: Actor) -> None:
    assert set(accepted(router.post("/relationships", PARTIES), 201)) == FIELDS


def test_the_seeds_defaults_hold(router: Actor, clock: Clock) -> None:
    made = accepted(router.post("/relationships", PARTIES), 201)
    assert {name: made[name] for name in FIELDS - {"id", "head"}} == {
        **PARTIES,
        "roles": {},
        "context": {},
        "humotica": "",
        "level": None,
        "channel": "rest",
        "driver": "relay",
        "conversation_state": "active",
        "conversation_depth": 0,
        "max_depth": 5,
        "timebox_hours": 24.0,
        "appointment": None,
        "created_at": "2025-11-27T14:00:00.000000Z",
        "last_activity_at": "2025-11-27T14:00:00.000000Z",
        "expires_at": "2025-11-28T14:00:00.000000Z",
        "time_remaining_seconds": 86400,
        "closed_at": None,
        "continuation_of": None,
        "continued_by": [],
        "flow": None,
        "owner": {"kind": "bot", "operator": None, "version": 0},
        "closure_event": None,
    }


def test_what_was_agreed_is_kept_and_read_back(router: Actor, clock: Clock) -> None:
    terms = {
        **PARTIES,
        "roles": {"bank": ["adviser"], "customer": {"since": 2019}},
        "context": {"amount": 12.5, "note": "ünïcode ☃"},
        "humotica": "Bank adviser calls about a mortgage",
        "level": 3,
        "timebox_hours": 0.25,
        "max_depth": 2,
        "appointment": WINDOW,
    }
    made = accepted(router.post("/relationships", terms), 201)
    appointment = made.pop("appointment")
    assert appointment == {
        **WINDOW,
        "start": "2025-11-27T14:30:00.000000Z",
        "end": "2025-11-27T15:00:00.000000Z",
    }
    assert {name: made[name] for name in terms if name != "appointment"} == {
        name: value for name, value in terms.items() if name != "appointment"
    }
    assert accepted(router.get(f"/relationships/{made['id']}")) == {**made, "appointment": appointment}


def test_the_chain_begins_with_its_creation(router: Actor, opened: Opens) -> None:
    page = accepted(router.get(f"{opened()}/events"))
    (first,) = page["results"]
    assert (first["seq"], first["type"], first["prev_hash"]) == (1, "fir_a_created", "0" * 64)
    assert page["head"] == {"seq": 1, "hash": first["hash"]}
    assert first["payload"]["initiator"]["handle"] == INITIATOR


def test_an_appointment_at_any_level_makes_expiry_appointment_based(router: Actor, clock: Clock) -> None:
    for level in (None, 0, 2, 5):
        made = accepted(router.post("/relationships", {**PARTIES, "level": level, "appointment": WINDOW}), 201)
        assert made["expires_at"] == "2025-11-27T15:00:00.000000Z"


@pytest.mark.parametrize(
    ("hours", "kept", "expires"),
    [
        (1 / 3600, 0.000278, "2025-11-27T14:00:01.000800Z"),
        (1 / 3, 0.333333, "2025-11-27T14:19:59.998800Z"),
        (1e-9, 0.000001, "2025-11-27T14:00:00.003600Z"),
    ],
)
def test_a_timebox_may_have_any_decimals(
    router: Actor, opened: Opens, clock: Clock, hours: float, kept: float, expires: str
) -> None:
    relationship = accepted(router.get(opened(timebox_hours=hours)))
    assert (relationship["timebox_hours"], relationship["expires_at"]) == (kept, expires)


def test_what_nobody_named_is_the_policys(router: Actor, editor: Actor, opened: Opens) -> None:
    changed = json.dumps({"relationship": {"max_depth": 3, "timebox_hours": 1.5}})
    accepted(editor.call("PUT", "/guards/policy", data=changed, content_type="application/json"))
    silent = accepted(router.get(opened()))
    assert (silent["max_depth"], silent["timebox_hours"]) == (3, 1.5)
    named = accepted(router.get(opened(max_depth=5)))
    assert (named["max_depth"], named["timebox_hours"]) == (5, 1.5)
    named = accepted(router.get(opened(timebox_hours=24)))
    assert (named["max_depth"], named["timebox_hours"]) == (3, 24)


@pytest.mark.parametrize(
    ("terms", "field"),
    [
        ({"level": 3}, "appointment"),
        ({"level": 5}, "appointment"),
        ({"level": 6}, "level"),
        ({"level": -1}, "level"),
        ({"level": "3"}, "level"),
        ({"level": True}, "level"),
        ({"max_depth": 0}, "max_depth"),
        ({"max_depth": -5}, "max_depth"),
        ({"max_depth": 2.5}, "max_depth"),
        ({"max_depth": "5"}, "max_depth"),
        ({"max_depth": None}, "max_depth"),
        ({"timebox_hours": 0}, "timebox_hours"),
        ({"timebox_hours": -1}, "timebox_hours"),
        ({"timebox_hours": "24"}, "timebox_hours"),
        ({"timebox_hours": True}, "timebox_hours"),
        ({"timebox_hours": 1e9}, "timebox_hours"),
        ({"appointment": {**WINDOW, "end": WINDOW["start"]}}, "appointment.end"),
        ({"appointment": {**WINDOW, "end": "2025-11-27T14:00:00Z"}}, "appointment.end"),
        ({"appointment": {"start": WINDOW["start"]}}, "appointment.end"),
        ({"appointment": {**WINDOW, "start": "2025-11-27T14:30:00"}}, "appointment.start"),
        ({"appointment": {**WINDOW, "start": "tomorrow"}}, "appointment.start"),
        ({"appointment": {**WINDOW, "start": 1764253800}}, "appointment.start"),
        ({"appointment": {**WINDOW, "end": "9999-12-31T23:59:59-14:00"}}, "appointment.end"),
        ({"appointment": "appt_1"}, "appointment"),
        ({"roles": []}, "roles"),
        ({"context": "x"}, "context"),
        ({"humotica": 5}, "humotica"),
        ({"driver": "magic"}, "driver"),
        ({"driver": 3}, "driver"),
        ({"initiator": ""}, "initiator"),
        ({"initiator": None}, "initiator"),
        ({"initiator": 7}, "initiator"),
        ({"initiator": "x" * 201}, "initiator"),
        ({"responder": INITIATOR}, "responder"),
        ({"surprise": 1}, "surprise"),
    ],
)
def test_senseless_terms_are_refused_by_field_and_leave_nothing(router: Actor, terms: Any, field: str) -> None:
    before = snapshot()
    problem = refused(router.post("/relationships", {**PARTIES, **terms}), 422, "invalid")
    assert [error["field"] for error in problem["errors"]] == [field]
    assert all(error["code"] and error["message"] for error in problem["errors"])
    assert snapshot() == before


def test_missing_parties_are_all_named_at_once(router: Actor) -> None:
    problem = refused(router.post("/relationships", {}), 422, "invalid")
    assert [(error["field"], error["code"]) for error in problem["errors"]] == [
        ("initiator", "required"),
        ("responder", "required"),
    ]


def test_a_value_outside_its_list_is_told_so(router: Actor) -> None:
    problem = refused(router.post("/relationships", {**PARTIES, "driver": "magic"}), 422, "invalid")
    assert problem["errors"][0]["code"] == "unknown_value"


def test_two_conversations_of_the_same_parties_share_the_participants(router: Actor, opened: Opens) -> None:
    before = snapshot()["participants"]
    opened()
    opened()
    assert snapshot()["participants"] == before + 2
