import pytest

from conversations.domain.dialogue.confirmation import Answer, read_words
from conversations.domain.dialogue.record import PendingConfirmation
from conversations.domain.dialogue.states import State
from conversations.domain.intents.types import Meaning
from tests.conversations.dialogue.world import SHOES, Talk, path, pending, resting_in

YES = ["yes", "y", "confirm", "ok", "okay", "sure", "ah", "wakha", "mzyan", "iyyeh", "na3am"]
NO = ["no", "n", "cancel", "stop", "nope", "la", "bala", "mansalich"]


@pytest.mark.parametrize(("words", "answer"), [(YES, Answer.CONFIRM), (NO, Answer.CANCEL)])
def test_every_word_of_the_seed_counts_in_any_case_and_with_any_edges(words, answer):
    for word in words:
        for typed in (
            word,
            word.upper(),
            f"  {word}!! ",
            f"«{word}»",
            f"{word} 👍🏽",
            f"{word}\n",
            f"…{word}.",
        ):
            assert read_words(typed) is answer, typed


def test_full_width_letters_are_the_same_letters():
    assert read_words("ｙｅｓ") is Answer.CONFIRM


@pytest.mark.parametrize("text", ["la robe", "ok but blue", "yesss", "yes yes", "", "!!!", "oui?", "no way", "notok"])
def test_only_the_whole_message_counts(text):
    assert read_words(text) is None
    outcome = resting_in(State.AWAITING_CONFIRMATION).say(text)
    assert outcome.state.state is State.CLARIFYING
    assert outcome.state.pending_confirmation == pending()
    assert (outcome.action_confirmed, outcome.reply.code) == (None, "ask_yes_or_no")


def test_a_clicks_meaning_beats_its_text():
    talk = resting_in(State.AWAITING_CONFIRMATION)
    assert talk.click(Meaning.CANCEL, text="yes").action_confirmed is None
    assert talk.state.state is State.IDLE


def test_a_click_that_is_no_answer_is_none_even_if_its_text_is_a_yes():
    outcome = resting_in(State.AWAITING_CONFIRMATION).click(Meaning.SHOW_MORE, text="yes")
    assert (outcome.action_confirmed, outcome.state.state) == (None, State.CLARIFYING)


def test_the_typed_word_beats_the_callers_intent():
    outcome = resting_in(State.AWAITING_CONFIRMATION).say("wakha", intent="product_search", confidence=0.9)
    assert outcome.action_confirmed == pending()


@pytest.mark.parametrize(("confidence", "confirmed"), [(0.9, pending()), (0.3, None)])
def test_a_callers_confirm_counts_if_it_is_sure(confidence, confirmed):
    talk = resting_in(State.AWAITING_CONFIRMATION)
    assert talk.say("go for it", intent="confirm", confidence=confidence).action_confirmed == confirmed


def test_choosing_asks_first_and_a_double_yes_runs_once():
    talk = Talk()
    talk.say("shoes")
    asked = talk.click(Meaning.SELECT, "s2")
    assert asked.state.state is State.AWAITING_CONFIRMATION
    assert [(b.meaning, b.target_id) for b in asked.reply.quick_replies] == [
        ("confirm", "s2"),
        ("cancel", "s2"),
    ]
    assert talk.say("yes").action_confirmed.target_id == "s2"
    second = talk.say("yes")
    assert (second.action_confirmed, second.state.state, second.reply.code) == (
        None,
        State.IDLE,
        "nothing_to_confirm",
    )


def test_a_question_stays_pending_with_its_age_while_clarifying():
    talk = resting_in(State.AWAITING_CONFIRMATION)
    talk.wait(seconds=100)
    talk.say("what?")
    talk.wait(seconds=200)
    outcome = talk.say("ok")
    assert outcome.action_confirmed == pending()
    assert path(outcome) == ["clarifying", "awaiting_confirmation", "idle"]


def test_a_new_search_while_clarifying_drops_the_question():
    talk = resting_in(State.AWAITING_CONFIRMATION)
    talk.say("a dress perhaps")
    outcome = talk.say("dress")
    assert path(outcome) == ["clarifying", "recommending"]
    assert outcome.state.pending_confirmation == PendingConfirmation()


def test_clicking_another_item_puts_it_in_the_questions_place():
    outcome = resting_in(State.AWAITING_CONFIRMATION).click(Meaning.SELECT, SHOES[3].id)
    assert path(outcome) == ["awaiting_confirmation", "clarifying", "awaiting_confirmation"]
    assert outcome.state.pending_confirmation.target_id == "s3"
    assert outcome.state.clarification_attempts == 0


class TestExpiry:
    def test_at_exactly_300_seconds_the_question_is_alive(self):
        talk = resting_in(State.AWAITING_CONFIRMATION, pending_confirmation=pending(age_seconds=300))
        assert talk.say("yes").action_confirmed is not None

    @pytest.mark.parametrize("stale", ["yes", "la", "hmm"])
    def test_a_stale_answer_executes_nothing_and_ends_idle(self, stale):
        talk = resting_in(State.AWAITING_CONFIRMATION, pending_confirmation=pending(age_seconds=301))
        outcome = talk.say(stale)
        assert path(outcome) == ["awaiting_confirmation", "idle"]
        assert (outcome.action_confirmed, outcome.reply.code) == (None, "confirmation_expired")

    def test_a_stale_click_is_as_stale_as_a_word(self):
        talk = resting_in(State.AWAITING_CONFIRMATION, pending_confirmation=pending(age_seconds=301))
        assert talk.click(Meaning.CONFIRM).action_confirmed is None
        assert (talk.state.state, talk.state.last_intent) == (State.IDLE, "confirm")

    def test_a_clear_new_intent_is_handled_from_idle_in_the_same_turn(self):
        talk = resting_in(State.AWAITING_CONFIRMATION, pending_confirmation=pending(age_seconds=301))
        outcome = talk.say("dress")
        assert path(outcome) == ["awaiting_confirmation", "idle", "recommending"]
        assert [card.id for card in outcome.reply.cards] == ["d0", "d1"]

    def test_a_question_that_expires_while_clarifying_ends_idle_by_legal_hops(self):
        talk = resting_in(State.CLARIFYING, pending_confirmation=pending(age_seconds=301))
        outcome = talk.say("yes")
        assert path(outcome) == ["clarifying", "awaiting_confirmation", "idle"]
        assert outcome.action_confirmed is None

    def test_a_shorter_lifetime_applies_at_once(self):
        from guards.policy_document import DialoguePolicy

        talk = resting_in(State.AWAITING_CONFIRMATION, pending_confirmation=pending(age_seconds=11))
        talk.policy = DialoguePolicy(confirmation_seconds=10)
        assert talk.say("yes").action_confirmed is None
