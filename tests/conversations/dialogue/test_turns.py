"""Searching, clarifying, repeating, failing, waiting: rows D2-D7, D12-D14."""

import pytest

from conversations.domain.dialogue.draft import Owner
from conversations.domain.dialogue.guards import state_handler
from conversations.domain.dialogue.states import State
from conversations.domain.intents.types import Meaning
from guards.policy_document import DialoguePolicy
from tests.conversations.dialogue.world import Talk, fired, path, resting_in

ORDER = [
    "duplicate_id",
    "consistency",
    "ownership",
    "human_request",
    "expiry",
    "error_recovery",
    "timeout",
    "state_handler",
    "clarification_cap",
    "repeated_intent",
    "pair_check",
    "counter_resets",
]


class TestOrder:
    @pytest.mark.parametrize("text", ["shoes", "hmm", "human", "yes"])
    @pytest.mark.parametrize("state", State)
    @pytest.mark.parametrize("owner", Owner)
    def test_every_step_writes_one_note_with_a_reason_in_the_fixed_order(self, state, owner, text):
        talk = resting_in(state)
        talk.owner = owner
        outcome = talk.say(text)
        assert [note.name for note in outcome.guards] == ORDER
        assert all(note.reason for note in outcome.guards)

    def test_steps_after_the_one_that_settled_the_turn_say_so(self):
        outcome = Talk().say("human")
        handler = next(note for note in outcome.guards if note.name == "state_handler")
        assert (handler.fired, handler.reason) == (False, "not reached: human_request settled the turn")

    def test_a_repeated_message_changes_nothing_and_is_not_answered(self):
        talk = Talk()
        first = talk.say("shoes", message_id="same")
        talk.wait(minutes=1)
        second = talk.say("shoes", message_id="same")
        assert (second.duplicate, second.reply, second.transitions) == (True, None, ())
        assert (second.state, second.side) == (first.state, first.side)

    def test_message_ids_are_traced(self):
        state = Talk().say("shoes", message_id="m7").state
        assert (state.last_user_message_id, state.last_agent_message_id) == ("m7", "m7-reply")


class TestSearching:
    def test_a_clear_search_recommends_at_most_five_cards(self):
        outcome = Talk().say("I am looking for shoes")
        assert path(outcome) == ["idle", "recommending"]
        assert len(outcome.reply.cards) == 5
        assert outcome.state.last_intent == "product_search"

    def test_nothing_found_from_idle_stays_there(self):
        outcome = Talk().say("hat")
        assert (path(outcome), outcome.state.state, outcome.reply.code) == ([], State.IDLE, "none_found")

    def test_nothing_found_while_recommending_leads_to_idle(self):
        outcome = resting_in(State.RECOMMENDING).say("hat")
        assert path(outcome) == ["recommending", "idle"]
        assert outcome.state.pagination.last_query_hash is None

    def test_nothing_found_while_clarifying_leads_to_idle_through_recommending(self):
        outcome = resting_in(State.CLARIFYING, clarification_attempts=2).say("hat")
        assert path(outcome) == ["clarifying", "recommending", "idle"]
        assert outcome.state.clarification_attempts == 0

    def test_a_search_for_something_unsaid_is_asked_about(self):
        outcome = Talk().say("I want something nice")
        assert (path(outcome), outcome.reply.code) == (["idle", "clarifying"], "ask_query")

    def test_a_choice_of_something_unsaid_is_asked_about(self):
        outcome = resting_in(State.RECOMMENDING).say("I take the second one")
        assert (path(outcome), outcome.reply.code) == (["recommending", "clarifying"], "ask_item")

    def test_an_item_may_be_chosen_from_idle(self):
        assert path(Talk().click(Meaning.SELECT, "x1")) == ["idle", "awaiting_confirmation"]

    @pytest.mark.parametrize(("confidence", "state"), [(0.49, State.CLARIFYING), (0.5, State.RECOMMENDING)])
    def test_an_intent_below_the_threshold_is_asked_about(self, confidence, state):
        assert Talk().say("shoes", intent="Product-Search", confidence=confidence).state.state is state

    def test_an_intent_the_machine_has_no_answer_for_is_kept_and_asked_about(self):
        outcome = Talk().say("where is my parcel", intent="order_status", confidence=0.99)
        assert (outcome.state.state, outcome.state.last_intent) == (State.CLARIFYING, "order_status")

    @pytest.mark.parametrize(
        ("state", "text", "expected", "code"),
        [
            (State.IDLE, "hello", [], "greeting"),
            (State.IDLE, "merci", [], "thanks"),
            (State.RECOMMENDING, "salam", [], "greeting"),
            (State.RECOMMENDING, "chokran", ["recommending", "idle"], "thanks"),
            (State.RECOMMENDING, "cancel", ["recommending", "idle"], "cancelled"),
            (State.RECOMMENDING, "ok", [], "nothing_to_confirm"),
            (State.CLARIFYING, "hello", ["clarifying", "clarifying"], "ask_query"),
            (State.HANDOFF, "hello", ["handoff", "handoff"], "waiting"),
        ],
    )
    def test_small_talk(self, state, text, expected, code):
        outcome = resting_in(state).say(text)
        assert (path(outcome), outcome.reply.code) == (expected, code)


class TestClarificationCap:
    def test_two_questions_are_asked_and_a_third_never(self):
        talk = Talk()
        turns = [talk.say("hmm") for _ in range(3)]
        assert [turn.state.state for turn in turns] == [State.CLARIFYING, State.CLARIFYING, State.HANDOFF]
        assert [turn.state.clarification_attempts for turn in turns] == [1, 2, 0]
        assert path(turns[2]) == ["clarifying", "handoff"]

    def test_the_cap_is_the_policys(self):
        talk = Talk(policy=DialoguePolicy(clarification_cap=1))
        talk.say("hmm")
        assert talk.say("hmm").handoff_reason == "low_confidence"

    def test_the_cap_beats_the_repeat_guard(self):
        talk = Talk()
        for _ in range(2):
            talk.say("x", intent="order_status", confidence=0.9)
        outcome = talk.say("x", intent="order_status", confidence=0.9)
        assert fired(outcome) == ["clarification_cap"]
        assert outcome.state.state is State.HANDOFF

    def test_a_resolved_clarification_starts_the_count_anew(self):
        talk = Talk()
        talk.say("hmm")
        talk.say("hmm")
        assert talk.say("shoes").state.clarification_attempts == 0
        assert talk.say("hmm").state.clarification_attempts == 1

    def test_an_ambiguous_answer_after_the_cap_is_handed_off_and_its_question_dropped(self):
        talk = resting_in(State.AWAITING_CONFIRMATION, clarification_attempts=2)
        outcome = talk.say("perhaps")
        assert path(outcome) == ["awaiting_confirmation", "handoff"]
        assert outcome.state.pending_confirmation.action is None


class TestRepeatGuard:
    def test_the_count_restarts_after_it_fired(self):
        talk = Talk()
        states = [talk.say("hat").state.state for _ in range(6)]
        assert states == [State.IDLE, State.IDLE, State.CLARIFYING] * 2
        assert ["repeated_intent" in fired(outcome) for outcome in talk.outcomes] == [False, False, True] * 2

    def test_another_intent_breaks_the_run(self):
        talk = Talk()
        for text in ("hat", "hat", "hello", "hat", "hat"):
            assert talk.say(text).state.state is State.IDLE

    def test_a_null_intent_breaks_the_run(self):
        talk = Talk()
        talk.say("hat")
        talk.say("hat")
        assert talk.say("hmm").state.last_intent is None
        assert "repeated_intent" not in fired(talk.say("hat"))

    def test_show_more_with_new_cards_never_fires_it(self):
        talk = Talk(policy=DialoguePolicy(page_limit=1))
        talk.say("shoes")
        for _ in range(11):
            assert fired(talk.click(Meaning.SHOW_MORE)) == []

    def test_progress_starts_the_count_anew(self):
        talk = Talk()
        for text in ("hat", "hat", "shoes", "hat", "hat"):
            assert "repeated_intent" not in fired(talk.say(text))
        assert "repeated_intent" in fired(talk.say("hat"))

    def test_the_length_of_the_run_is_the_policys(self):
        talk = Talk(policy=DialoguePolicy(repeat_intent=2))
        talk.say("hat")
        assert talk.say("hat").state.state is State.CLARIFYING


class TestErrors:
    def test_a_failing_catalogue_is_an_error_and_the_next_message_recovers_first(self):
        talk = Talk(shop_is_down=True)
        assert path(talk.say("shoes")) == ["idle", "error"]
        talk.shop_is_down = False
        assert path(talk.say("shoes")) == ["error", "idle", "recommending"]
        assert talk.side.error_count == 0

    def test_the_third_consecutive_error_goes_to_a_person(self):
        talk = Talk(shop_is_down=True)
        talk.say("shoes")
        talk.say("dress")
        outcome = talk.say("shoes")
        assert path(outcome) == ["error", "idle", "error", "handoff"]
        assert outcome.handoff_reason == "repeated_errors"

    def test_a_turn_without_an_error_breaks_the_run(self):
        talk = Talk(shop_is_down=True)
        for text in ("shoes", "shoes", "hello", "shoes", "shoes"):
            assert talk.say(text).state.state is not State.HANDOFF

    def test_the_cap_is_the_policys(self):
        talk = Talk(shop_is_down=True, policy=DialoguePolicy(error_cap=1))
        assert path(talk.say("shoes")) == ["idle", "error", "handoff"]

    def test_a_page_that_failed_leaves_the_position_where_it_was(self):
        talk = resting_in(State.RECOMMENDING)
        talk.shop_is_down = True
        outcome = talk.click(Meaning.SHOW_MORE)
        assert path(outcome) == ["recommending", "paginating", "error"]
        assert outcome.state.pagination.offset == 0

    def test_a_bug_in_the_catalogue_is_not_hidden_as_an_error(self):
        talk = Talk()
        talk.search = lambda *_: 1 / 0
        with pytest.raises(ZeroDivisionError):
            talk.say("shoes")


class TestOwnership:
    @pytest.mark.parametrize("state", State)
    def test_in_the_queue_only_the_waiting_notice_is_sent(self, state):
        talk = resting_in(state)
        talk.owner = Owner.QUEUE
        outcome = talk.say("shoes")
        assert (outcome.reply.code, outcome.suppressed, outcome.state.state) == ("waiting", None, state)
        assert path(outcome) == (["handoff", "handoff"] if state is State.HANDOFF else [])

    @pytest.mark.parametrize("state", State)
    @pytest.mark.parametrize("text", ["shoes", "human", "yes"])
    def test_an_operators_conversation_is_recorded_and_not_answered(self, state, text):
        talk = resting_in(state)
        talk.owner = Owner.OPERATOR
        outcome = talk.say(text, message_id="m1")
        assert (outcome.reply, outcome.suppressed, outcome.state.state) == (None, "owned_by_human", state)
        assert (outcome.action_confirmed, outcome.handoff_reason) == (None, None)
        assert outcome.state.last_user_message_id == "m1"
        assert outcome.state.last_agent_message_id == "before-reply"

    @pytest.mark.parametrize(("owner", "code"), [(Owner.OPERATOR, None), (Owner.QUEUE, "waiting")])
    def test_a_reset_does_not_speak_over_a_person(self, owner, code):
        outcome = Talk(stored={"state": "dancing"}, owner=owner).say("shoes")
        assert outcome.reset_reason == "inconsistent_state"
        assert (outcome.reply and outcome.reply.code) == code
        assert fired(outcome) == ["consistency", "ownership"]


class TestTimeout:
    @pytest.mark.parametrize("state", [State.CLARIFYING, State.RECOMMENDING, State.PAGINATING])
    def test_after_thirty_minutes_of_silence_the_dialogue_starts_afresh(self, state):
        talk = resting_in(state)
        talk.wait(minutes=30, milliseconds=1)
        outcome = talk.say("shoes")
        assert (outcome.state.state, outcome.reset_reason, outcome.reply.code) == (
            State.IDLE,
            "timeout",
            "fallback",
        )
        assert fired(outcome) == ["timeout"]

    def test_at_exactly_thirty_minutes_it_goes_on(self):
        talk = resting_in(State.RECOMMENDING)
        talk.wait(minutes=30)
        assert talk.click(Meaning.SHOW_MORE).state.state is State.RECOMMENDING

    def test_never_in_handoff(self):
        talk = resting_in(State.HANDOFF)
        talk.wait(hours=9)
        assert talk.say("hello").state.state is State.HANDOFF

    def test_from_idle_a_late_message_is_simply_handled(self):
        talk = resting_in(State.IDLE)
        talk.wait(hours=9)
        assert talk.say("dress").state.state is State.RECOMMENDING

    def test_the_silence_is_the_policys(self):
        talk = resting_in(State.RECOMMENDING)
        talk.policy = DialoguePolicy(timeout_minutes=1)
        talk.wait(seconds=61)
        assert talk.say("dress").reset_reason == "timeout"


def test_error_has_no_handler_because_no_message_is_handled_there():
    assert set(State) - set(state_handler.HANDLERS) == {State.ERROR}
