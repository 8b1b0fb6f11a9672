"""The seed's seven acceptance checks, word for word, and the eighth: a human from every state."""

import pytest

from conversations.domain.dialogue.record import PendingConfirmation
from conversations.domain.dialogue.states import State
from conversations.domain.intents.types import Meaning
from tests.conversations.dialogue.world import NOON, SHOES, Talk, path, pending, resting_in


def test_1_after_two_clarifications_an_unresolved_turn_is_handed_off_for_low_confidence():
    talk = resting_in(State.CLARIFYING, clarification_attempts=2)
    outcome = talk.say("hmm")
    assert (outcome.state.state, outcome.handoff_reason) == (State.HANDOFF, "low_confidence")
    assert outcome.state.clarification_attempts == 0
    assert outcome.side.handoff_reason == "low_confidence"


def test_2_the_third_product_search_without_progress_is_clarified():
    talk = Talk()
    assert talk.say("hat").state.state is State.IDLE
    assert talk.say("hat").state.state is State.IDLE
    outcome = talk.say("hat")
    assert outcome.state.state is State.CLARIFYING
    assert outcome.reply.code == "disambiguate"


def test_3_show_more_moves_the_offset_by_the_limit_and_repeats_no_product():
    talk = Talk()
    first = talk.say("shoes")
    assert (first.state.pagination.offset, first.state.pagination.limit) == (0, 5)
    second = talk.click(Meaning.SHOW_MORE)
    assert second.state.pagination.offset == 5
    assert second.state.pagination.last_query_hash == first.state.pagination.last_query_hash
    assert path(second) == ["recommending", "paginating", "recommending"]
    assert [card.id for card in first.reply.cards + second.reply.cards] == [card.id for card in SHOES[:10]]


def test_4_wakha_accepts_a_pending_confirmation():
    outcome = resting_in(State.AWAITING_CONFIRMATION).say("wakha")
    assert outcome.action_confirmed == pending()
    assert [(event.type, event.payload) for event in outcome.events] == [
        ("action_confirmed", {"action": "select", "target_id": "s1"})
    ]
    assert (outcome.state.state, outcome.state.last_intent) == (State.IDLE, "confirm")


def test_5_la_cancels_a_pending_confirmation():
    outcome = resting_in(State.AWAITING_CONFIRMATION).say("la")
    assert (outcome.action_confirmed, outcome.events) == (None, ())
    assert (outcome.state.state, outcome.state.last_intent) == (State.IDLE, "cancel")
    assert outcome.state.pending_confirmation == PendingConfirmation()


def test_6_a_confirmation_older_than_five_minutes_expires_to_idle():
    talk = resting_in(State.AWAITING_CONFIRMATION, pending_confirmation=pending(age_seconds=300.001))
    outcome = talk.say("wakha")
    assert outcome.state.state is State.IDLE
    assert outcome.state.pending_confirmation == PendingConfirmation()
    assert outcome.action_confirmed is None
    assert [event.type for event in outcome.events] == ["confirmation_expired"]


@pytest.mark.parametrize(
    "stored",
    [
        {},
        {"state": "dancing"},
        {**resting_in(State.IDLE).stored, "state": "dancing"},
        {**resting_in(State.IDLE).stored, "surprise": 1},
        {
            **resting_in(State.AWAITING_CONFIRMATION).stored,
            "pending_confirmation": {"action": "x", "target_id": "y"},
        },
        {
            **resting_in(State.AWAITING_CONFIRMATION).stored,
            "pending_confirmation": {"action": None, "target_id": None},
        },
        {
            **resting_in(State.RECOMMENDING).stored,
            "pending_confirmation": resting_in(State.AWAITING_CONFIRMATION).stored["pending_confirmation"],
        },
        {
            **resting_in(State.CLARIFYING).stored,
            "pending_confirmation": {"action": "x", "target_id": "y", "created_at": "noon"},
        },
        {
            **resting_in(State.CLARIFYING).stored,
            "pending_confirmation": {"action": "x", "target_id": "y", "created_at": "2026-03-01T12:00:00"},
        },
    ],
)
def test_7_an_inconsistent_record_is_reset_to_idle(stored):
    outcome = Talk(stored=stored).say("shoes", message_id="after")
    assert outcome.state.state is State.IDLE
    assert outcome.reset_reason == "inconsistent_state"
    assert outcome.state.pending_confirmation == PendingConfirmation()
    assert outcome.state.last_user_message_id == "after"
    assert outcome.reply.code == "fallback"
    assert outcome.transitions == ()


def test_7b_a_reset_keeps_the_trace_of_the_agents_last_message_where_possible():
    talk = Talk(stored={"state": "dancing", "last_agent_message_id": "a9", "last_user_message_id": 7})
    talk.owner = "operator"
    assert talk.say("shoes").state.last_agent_message_id == "a9"


@pytest.mark.parametrize(
    "how", [{"text": "I want to talk to a human"}, {"meaning": Meaning.HUMAN}, {"intent": "human"}]
)
@pytest.mark.parametrize("state", State)
def test_8_a_human_can_be_had_from_every_state(state, how):
    outcome = resting_in(state).say(**how)
    through = ["error"] if state is State.PAGINATING else []
    assert path(outcome) == [state, *through, "handoff"]
    assert (outcome.state.state, outcome.handoff_reason) == (State.HANDOFF, "human_request")
    assert outcome.state.pending_confirmation == PendingConfirmation()
    assert outcome.side.last_message_at == NOON
