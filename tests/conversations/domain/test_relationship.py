"""Terms, direction, depth and expiry at their boundaries (R3-R6)."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from conversations.domain import errors
from conversations.domain.relationship import (
    Appointment,
    Standing,
    check_automation,
    check_intent_window,
    check_open,
    check_sender,
    check_terms,
    expiry,
)

NOON = datetime(2025, 11, 27, 12, 0, tzinfo=UTC)
TICK = timedelta(microseconds=1)
OPEN = Standing(
    initiator="bank",
    responder="customer",
    closed=False,
    closure_type=None,
    closure_event=None,
    depth=0,
    max_depth=5,
    expires_at=NOON,
    appointment_start=None,
    owner_kind="bot",
    owner_operator=None,
    owner_version=0,
)


def test_expiry_is_the_timebox_after_the_last_activity() -> None:
    assert expiry(last_activity=NOON, timebox_hours=Decimal("0.5"), appointment=None) == NOON + timedelta(minutes=30)


def test_an_appointment_fixes_the_expiry_at_its_end() -> None:
    window = Appointment(start=NOON, end=NOON + timedelta(minutes=30))
    assert expiry(last_activity=NOON + timedelta(days=9), timebox_hours=Decimal(1), appointment=window) == window.end


def test_it_is_alive_at_the_very_moment_of_expiry_and_not_after() -> None:
    check_open(OPEN, now=NOON)
    with pytest.raises(errors.ConversationExpiredError) as refusal:
        check_open(OPEN, now=NOON + TICK)
    assert refusal.value.closes_as == "expired"


@pytest.mark.parametrize("level", [None, 0, 1, 2])
def test_levels_below_three_need_no_appointment(level: int | None) -> None:
    check_terms(level=level, appointment=None)


@pytest.mark.parametrize("level", [3, 4, 5])
def test_levels_three_to_five_demand_one(level: int) -> None:
    with pytest.raises(errors.InvalidTermsError) as refusal:
        check_terms(level=level, appointment=None)
    assert refusal.value.figures["errors"][0]["field"] == "appointment"
    check_terms(level=level, appointment=Appointment(start=NOON, end=NOON + TICK))


@pytest.mark.parametrize("end", [NOON, NOON - TICK])
def test_an_appointment_ends_after_it_starts(end: datetime) -> None:
    with pytest.raises(errors.InvalidTermsError) as refusal:
        check_terms(level=None, appointment=Appointment(start=NOON, end=end))
    assert refusal.value.figures["errors"][0]["code"] == "ends_before_start"


def test_only_the_initiator_sends_intents_and_only_the_responder_responses() -> None:
    check_sender(OPEN, sender="bank", sends_intent=True)
    check_sender(OPEN, sender="customer", sends_intent=False)
    with pytest.raises(errors.IntentDirectionError):
        check_sender(OPEN, sender="customer", sends_intent=True)
    with pytest.raises(errors.ResponseDirectionError):
        check_sender(OPEN, sender="bank", sends_intent=False)


@pytest.mark.parametrize("sends_intent", [True, False])
def test_a_third_party_is_no_party(sends_intent: bool) -> None:
    with pytest.raises(errors.NotAPartyError):
        check_sender(OPEN, sender="stranger", sends_intent=sends_intent)


def test_the_last_allowed_depth_passes_and_the_next_closes() -> None:
    check_intent_window(replace(OPEN, depth=4), now=NOON)
    with pytest.raises(errors.MaxDepthExceededError) as refusal:
        check_intent_window(replace(OPEN, depth=5), now=NOON)
    assert refusal.value.closes_as == "max_depth"


def test_an_intent_waits_for_its_appointment() -> None:
    booked = replace(OPEN, appointment_start=NOON)
    check_intent_window(booked, now=NOON)
    with pytest.raises(errors.OutsideAppointmentError) as refusal:
        check_intent_window(booked, now=NOON - TICK)
    assert refusal.value.closes_as is None
    assert refusal.value.figures["appointment_start"] == "2025-11-27T12:00:00.000000Z"


@pytest.mark.parametrize(
    ("closure_type", "refusal"),
    [("completed", errors.ConversationClosedError), ("expired", errors.ConversationExpiredError)],
)
def test_a_closed_conversation_answers_with_its_closure_and_offer(
    closure_type: str, refusal: type[errors.ConversationError]
) -> None:
    closure = {"closure_type": closure_type, "re_engagement_offer": {"type": "re_engagement_offer"}}
    shut = replace(OPEN, closed=True, closure_type=closure_type, closure_event=closure)
    with pytest.raises(refusal) as refused:
        check_open(shut, now=NOON)
    assert refused.value.figures == {"closure_event": closure, "re_engagement_offer": closure["re_engagement_offer"]}


@pytest.mark.parametrize("kind", ["queue", "operator"])
def test_automation_is_silent_while_a_human_owns_or_is_asked_for(kind: str) -> None:
    check_automation(OPEN)
    with pytest.raises(errors.OwnedByHumanError) as refusal:
        check_automation(replace(OPEN, owner_kind=kind, owner_operator="ann", owner_version=2))
    assert refusal.value.figures["owner"] == {"kind": kind, "operator": "ann", "version": 2}
