from itertools import pairwise, product

import pytest

from conversations.domain.dialogue.guards import state_handler
from conversations.domain.dialogue.machine import (
    Moved,
    TransitionRefused,
    hand_over,
    request_transition,
    return_to_bot,
)
from conversations.domain.dialogue.record import DialogueState, PendingConfirmation, SideColumns
from conversations.domain.dialogue.states import State, is_legal, legal_targets, path_to_handoff
from tests.conversations.dialogue.world import fired, pending, resting_in

LEGAL = {
    "idle": {"recommending", "clarifying", "awaiting_confirmation", "error", "handoff"},
    "clarifying": {"recommending", "awaiting_confirmation", "clarifying", "handoff", "error"},
    "recommending": {"paginating", "awaiting_confirmation", "clarifying", "idle", "error", "handoff"},
    "awaiting_confirmation": {"recommending", "idle", "clarifying", "handoff", "error"},
    "paginating": {"recommending", "idle", "clarifying", "error"},
    "error": {"idle", "handoff"},
    "handoff": {"handoff", "idle"},
}
ALL_PAIRS = list(product(State, State))
ILLEGAL = [(source, target) for source, target in ALL_PAIRS if target not in LEGAL[source]]


def record(state: State) -> DialogueState:
    return DialogueState(state=state, pending_confirmation=pending(), clarification_attempts=1)


def test_there_are_29_legal_pairs_of_49():
    assert len(ALL_PAIRS) == 49
    assert sum(is_legal(*pair) for pair in ALL_PAIRS) == 29


@pytest.mark.parametrize(("source", "target"), ALL_PAIRS)
def test_every_pair_is_as_legal_as_the_seed_says(source, target):
    assert is_legal(source, target) is (target in LEGAL[source])


@pytest.mark.parametrize(("source", "target"), ALL_PAIRS)
def test_an_operator_may_make_a_legal_hop_and_is_told_the_legal_targets_otherwise(source, target):
    answer = request_transition(record(source), SideColumns(), target, "operator")
    if target in LEGAL[source]:
        assert isinstance(answer, Moved)
        assert answer.state.state is target
        assert answer.transitions == ((source, target, "operator"),)
        answer.state.to_json()
    else:
        assert answer == TransitionRefused("illegal_transition", source, target, legal_targets(source))
        assert set(answer.legal_targets) == LEGAL[source]


@pytest.mark.parametrize(("source", "target"), ILLEGAL)
def test_an_illegal_hop_by_the_engine_resets_to_idle_and_does_nothing_else(source, target, monkeypatch):
    talk = resting_in(source)
    before = talk.side
    wrong = dict.fromkeys(State, lambda draft, situation: draft.hop(source, "w").hop(target, "wrong"))
    monkeypatch.setattr(state_handler, "HANDLERS", wrong)
    outcome = talk.say("shoes")
    assert "pair_check" in fired(outcome)
    assert (outcome.state.state, outcome.transitions, outcome.reset_reason) == (
        State.IDLE,
        (),
        "illegal_transition",
    )
    assert outcome.state.pending_confirmation == PendingConfirmation()
    assert outcome.side.shown_ids == before.shown_ids
    assert outcome.reply.code == "fallback"


def test_an_operator_cannot_open_a_confirmation_of_nothing():
    idle = DialogueState()
    refused = request_transition(idle, SideColumns(), State.AWAITING_CONFIRMATION, "operator")
    assert refused.code == "nothing_to_confirm"


@pytest.mark.parametrize("state", State)
def test_a_handoff_can_be_reached_from_every_state_by_legal_hops(state):
    way = (state, *path_to_handoff(state))
    assert way[-1] is State.HANDOFF
    assert all(is_legal(*hop) for hop in pairwise(way))


def test_a_takeover_while_paginating_goes_through_error():
    moved = hand_over(record(State.PAGINATING), SideColumns(error_count=2, repeat_count=2), "takeover")
    assert moved.transitions == (("paginating", "error", "takeover"), ("error", "handoff", "takeover"))
    assert moved.state.clarification_attempts == 0
    assert moved.state.pending_confirmation == PendingConfirmation()
    assert moved.side == SideColumns(handoff_reason="takeover")


def test_the_return_to_the_bot_leads_from_handoff_to_idle_and_from_nowhere_else():
    moved = return_to_bot(DialogueState(state=State.HANDOFF), SideColumns(handoff_reason="low_confidence"))
    assert moved.state == DialogueState()
    assert moved.transitions == (("handoff", "idle", "returned_to_bot"),)
    assert moved.side.handoff_reason is None
    assert return_to_bot(DialogueState(), SideColumns()).code == "not_in_handoff"
