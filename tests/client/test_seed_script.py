"""Seed 000's own test script, its four tests, with this client against a real server and a real clock."""

import time
from datetime import UTC, datetime, timedelta

import pytest
from lastword_client import (
    ConversationExpiredError,
    IntentDirectionError,
    LastwordClient,
    MaxDepthExceededError,
)


def test_intent_direction_enforcement(bank: LastwordClient, customer: LastwordClient) -> None:
    fir_a = bank.init_relationship(initiator="bank", responder="customer")

    bank.send_intent(fir_a.id, "financial_advice", {})

    with pytest.raises(IntentDirectionError):
        customer.send_intent(fir_a.id, "question", {})
    assert [event.type for event in bank.events(fir_a.id)] == ["fir_a_created", "intent"]


def test_max_depth_limit(router: LastwordClient, bank: LastwordClient) -> None:
    fir_a = bank.init_relationship(initiator="bank", responder="customer")

    for i in range(5):
        bank.send_intent(fir_a.id, f"intent_{i + 1}", {})

    with pytest.raises(MaxDepthExceededError) as refused:
        bank.send_intent(fir_a.id, "intent_6", {})

    fir_a_refreshed = router.get_relationship(fir_a.id)
    assert fir_a_refreshed.conversation_state == "closed"
    assert fir_a_refreshed.closure_event is not None
    assert fir_a_refreshed.closure_event["closure_type"] == "max_depth"
    assert refused.value.closure_event == fir_a_refreshed.closure_event
    assert refused.value.re_engagement_offer is not None


def test_appointment_expiry(bank: LastwordClient) -> None:
    appointment_start = datetime.now(UTC)
    appointment_end = appointment_start + timedelta(seconds=6)

    fir_a = bank.init_relationship(
        initiator="bank",
        responder="customer",
        appointment_start=appointment_start,
        appointment_end=appointment_end,
        appointment_based=True,
    )

    bank.send_intent(fir_a.id, "financial_advice", {})

    while datetime.now(UTC) <= appointment_end:
        time.sleep(0.1)
    with pytest.raises(ConversationExpiredError) as refused:
        bank.send_intent(fir_a.id, "another_intent", {})
    assert refused.value.closure_event is not None
    assert refused.value.closure_event.closure_type == "expired"


def test_re_engagement_flow(router: LastwordClient, bank: LastwordClient) -> None:
    original = bank.init_relationship(initiator="bank", responder="customer")
    bank.send_intent(original.id, "intent_1", {})
    router.close_conversation(original.id, "incomplete")

    start = datetime.now(UTC)
    followup = bank.create_followup_conversation(
        previous_fir_a_id=original.id,
        new_appointment={
            "id": "appt_20251129_1400",
            "start": start,
            "end": start + timedelta(minutes=30),
            "subject": "Mortgage offer decision discussion",
        },
    )

    assert followup.context["continuation_of"] == original.id
    assert followup.conversation_state == "active"
    assert followup.id != original.id

    bank.send_intent(followup.id, "followup_intent", {})
