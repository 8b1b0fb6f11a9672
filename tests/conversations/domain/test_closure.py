"""Outcome, summary, open items and offer, by rule and from the events alone (R6-R12)."""

from datetime import timedelta
from typing import Any

import pytest

from conversations.domain.closure import (
    REASONS,
    Chain,
    ClosureType,
    closure_event,
    followup_reason,
    humotica_trace,
    needs_followup,
    open_items,
    outcome,
    summary,
)
from tests.conversations.domain.chains import START, chain, intent, response

SEED_FIELDS = {
    "type",
    "fir_a_id",
    "closure_type",
    "closure_reason",
    "timestamp",
    "conversation_summary",
    "total_events",
    "conversation_duration_seconds",
    "outcome",
    "re_engagement_offer",
}


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ([], "incomplete"),
        ([intent("advice")], "incomplete"),
        ([intent("advice"), response("accepted")], "success"),
        ([intent("advice"), response("rejected")], "rejected"),
        ([intent("contract"), response("signed")], "completed_with_signature"),
        ([intent("contract"), response("contract_signed")], "completed_with_signature"),
        ([intent("contract"), response("unsigned")], "incomplete"),
        ([intent("contract"), response("not_signed")], "incomplete"),
        ([intent("signed")], "incomplete"),
        ([intent("advice"), response("accepted"), intent("more")], "incomplete"),
        ([intent("advice"), response("rejected"), response("accepted")], "success"),
        ([intent("advice"), response("accepted_partly")], "incomplete"),
    ],
)
def test_the_last_intent_or_response_decides_the_outcome(said: list[Any], expected: str) -> None:
    assert outcome(chain(*said)) == expected


def test_what_is_no_exchange_does_not_hide_the_last_response() -> None:
    assert outcome(chain(intent("advice"), response("accepted"), ("conversation_rated", {"score": 5}))) == "success"


def test_the_trace_is_the_humotica_texts_in_order() -> None:
    told = chain(intent("advice", humotica="Bank called"), response("accepted"), intent("docs", humotica="asked docs"))
    assert humotica_trace(told) == "Bank called → asked docs"


def test_without_humotica_the_trace_is_the_names_in_order() -> None:
    assert humotica_trace(chain(intent("advice"), response("accepted"))) == "advice → accepted"


def test_an_empty_conversation_has_an_empty_trace() -> None:
    assert humotica_trace(chain()) == ""


def test_the_summary_has_exactly_the_seeds_fields() -> None:
    told = chain(intent("advice"), response("accepted"), intent("docs"), response("signed"))
    assert summary(told) == {
        "total_intents": 2,
        "total_responses": 2,
        "intent_types": ["advice", "docs"],
        "outcome_status": "completed_with_signature",
        "humotica_trace": "advice → accepted → docs → signed",
    }


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ([], []),
        ([intent("advice")], ["advice"]),
        ([intent("advice"), response("accepted")], []),
        ([intent("advice"), intent("docs"), response("accepted")], []),
        ([intent("advice"), response("accepted"), intent("docs")], ["docs"]),
        ([intent("a", context={"open_items": ["passport"]}), response("ok")], ["passport"]),
        ([intent("a"), response("ok", context={"open_items": ["passport", "slip"]})], ["passport", "slip"]),
        ([intent("a", context={"open_items": ["x"]}), response("ok", context={"resolved_items": ["x"]})], []),
        ([intent("a", context={"resolved_items": ["x"]}), response("ok", context={"open_items": ["x"]})], ["x"]),
        ([intent("a", context={"open_items": "x", "resolved_items": 3}), response("ok")], []),
        ([intent("a", context={"open_items": [1, None, "x"]}), response("ok")], ["x"]),
        ([intent("a"), intent("a")], ["a"]),
    ],
)
def test_open_items_are_unanswered_intents_and_named_items_not_resolved_later(
    said: list[Any], expected: list[str]
) -> None:
    assert open_items(chain(*said)) == expected


@pytest.mark.parametrize(
    ("said", "needed"),
    [
        ([intent("a"), response("accepted")], False),
        ([intent("a"), response("signed")], False),
        ([intent("a"), response("rejected")], True),
        ([intent("a")], True),
        ([], True),
        ([intent("a"), response("accepted", humotica="Fine, but FOLLOW-UP Required next week")], True),
    ],
)
def test_a_follow_up_is_needed_when_unfinished_rejected_or_asked_for(said: list[Any], needed: bool) -> None:
    assert needs_followup(chain(*said), ClosureType.COMPLETED) is needed


def test_a_conversation_cut_off_by_its_depth_always_gets_an_offer() -> None:
    assert needs_followup(chain(intent("a"), response("accepted")), ClosureType.MAX_DEPTH)


def closed(said: Chain, **after: float) -> dict[str, Any]:
    return closure_event(said, closure_type=ClosureType.COMPLETED, now=START + timedelta(**after))


def test_the_closure_event_says_exactly_what_the_seed_says() -> None:
    told = closed(chain(intent("a"), response("accepted")), hours=1, milliseconds=900)
    assert set(told) == SEED_FIELDS
    assert told == {
        "type": "conversation_closure",
        "fir_a_id": "fira-12345",
        "closure_type": "completed",
        "closure_reason": "Conversation successfully completed",
        "timestamp": "2025-11-27T15:00:00.900000Z",
        "conversation_summary": summary(chain(intent("a"), response("accepted"))),
        "total_events": 4,
        "conversation_duration_seconds": 3600,
        "outcome": "success",
        "re_engagement_offer": None,
    }


def test_the_offer_refers_to_the_conversation_and_carries_summary_and_open_items() -> None:
    told = chain(intent("offer"), response("rejected", context={"open_items": ["decision"]}))
    assert closed(told)["re_engagement_offer"] == {
        "type": "re_engagement_offer",
        "previous_fir_a_id": "fira-12345",
        "reason": "Follow-up required based on conversation outcome",
        "suggested_timeslot_offset_hours": 24,
        "suggested_intent": "follow_up_discussion",
        "context_from_previous": {"summary": summary(told), "open_items": ["decision"]},
    }


def test_there_are_six_closure_types_each_with_a_reason() -> None:
    kinds = {"completed", "expired", "max_depth", "user_terminated", "error", "incomplete"}
    assert {str(kind) for kind in REASONS} == {str(kind) for kind in ClosureType} == kinds
    assert all(REASONS.values())


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ([intent("a"), response("rejected")], "The last proposal was rejected"),
        ([intent("a"), intent("b")], "Open items: a, b"),
        ([intent("a"), response("accepted")], "Follow-up required based on conversation outcome"),
    ],
)
def test_a_follow_up_says_why(said: list[Any], reason: str) -> None:
    assert followup_reason(chain(*said)) == reason


def test_an_erased_intent_keeps_only_its_type_in_a_later_summary() -> None:
    assert summary(chain(("intent", None)))["intent_types"] == ["intent"]
