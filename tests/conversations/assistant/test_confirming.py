"""A choice runs once, on a clear yes, in time (D8-D10)."""

import pytest

from tests.cast import Actor, Clock, Opens
from tests.conversations.assistant.world import NOTHING_PENDING, Visitor, card_ids, policy, route, state

pytestmark = pytest.mark.django_db

CONFIRMED = [{"action": "select", "target_id": "shoe-03"}]


def confirmed(visitor: Visitor) -> list[dict[str, str]]:
    return [event["payload"] for event in visitor.events("action_confirmed")]


@pytest.mark.parametrize(
    "word", ["yes", "Y", "confirm", "OK", "okay", "sure", "ah", "WAKHA!", " mzyan ", "iyyeh", "na3am"]
)
def test_every_positive_word_confirms(word: str, visitor: Visitor) -> None:
    visitor.click("select", "shoe-03")
    assert state(visitor.say(word)) == "idle"
    assert confirmed(visitor) == CONFIRMED


@pytest.mark.parametrize("word", ["no", "N", "cancel", "STOP", "nope", "la", "«bala»", "mansalich."])
def test_every_negative_word_cancels(word: str, visitor: Visitor) -> None:
    visitor.click("select", "shoe-03")
    answer = visitor.say(word)
    assert (state(answer), answer["dialogue"]["last_intent"]) == ("idle", "cancel")
    assert confirmed(visitor) == []


@pytest.mark.parametrize("meaning", ["confirm", "cancel"])
def test_the_button_of_an_earlier_question_answers_no_later_one(meaning: str, visitor: Visitor) -> None:
    visitor.click("select", "shoe-01")
    visitor.click("select", "shoe-03")
    answer = visitor.click(meaning, "shoe-01")
    assert (state(answer), confirmed(visitor)) == ("clarifying", [])
    assert answer["dialogue"]["pending_confirmation"]["target_id"] == "shoe-03"
    assert "Running shoes 03" in answer["reply"]["text"], "the item that is asked about is named"
    assert state(visitor.click("confirm", "shoe-03")) == "idle"
    assert confirmed(visitor) == CONFIRMED


@pytest.mark.parametrize("words", ["la robe", "ok but blue", "yesss", "oui", ""])
def test_what_is_neither_is_asked_about_and_the_question_stays_open(words: str, visitor: Visitor) -> None:
    pending = visitor.click("select", "shoe-03")["dialogue"]["pending_confirmation"]
    answer = visitor.say(words)
    assert (state(answer), answer["dialogue"]["pending_confirmation"]) == ("clarifying", pending)
    assert {button["meaning"] for button in answer["reply"]["quick_replies"]} == {"confirm", "cancel"}
    assert state(visitor.say("wakha")) == "idle"
    assert confirmed(visitor) == CONFIRMED


def test_a_click_beats_the_text_beside_it(visitor: Visitor) -> None:
    visitor.click("select", "shoe-03")
    answer = visitor.say("yes", meaning="cancel")
    assert (state(answer), confirmed(visitor)) == ("idle", [])


def test_a_click_confirms_and_names_the_item(visitor: Visitor) -> None:
    asked = visitor.click("select", "shoe-03")
    assert "Running shoes 03" in asked["reply"]["text"]
    answer = visitor.click("confirm")
    assert answer["dialogue"]["pending_confirmation"] == NOTHING_PENDING
    assert confirmed(visitor) == CONFIRMED


def test_a_second_yes_runs_nothing(visitor: Visitor) -> None:
    visitor.click("select", "shoe-03")
    visitor.say("yes")
    again = visitor.say("yes")
    assert (state(again), again["dialogue"]["last_intent"]) == ("idle", "confirm")
    assert confirmed(visitor) == CONFIRMED


def test_another_click_puts_another_item_in_question(visitor: Visitor) -> None:
    visitor.click("select", "shoe-03")
    answer = visitor.click("select", "dress-1")
    assert route(answer) == ["awaiting_confirmation", "clarifying", "awaiting_confirmation"]
    visitor.say("yes")
    assert confirmed(visitor) == [{"action": "select", "target_id": "dress-1"}]


def test_a_choice_the_catalogue_does_not_have_is_asked_about_and_confirms_nothing(visitor: Visitor) -> None:
    answer = visitor.click("select", "does-not-exist")
    assert answer["transitions"] == [["idle", "clarifying", "unknown_item"]]
    assert answer["reply"]["text"] == "Which item do you mean?"
    assert answer["dialogue"]["pending_confirmation"] == NOTHING_PENDING
    visitor.say("yes")
    assert confirmed(visitor) == []


def test_choosing_what_is_not_there_goes_by_the_table_and_ends_with_a_person(visitor: Visitor) -> None:
    visitor.say("running shoes")
    routes = [route(visitor.click("select", "does-not-exist")) for _ in range(3)]
    assert routes == [["recommending", "clarifying"], ["clarifying", "clarifying"], ["clarifying", "handoff"]]


def test_a_choice_the_catalogue_does_not_have_leaves_the_question_that_is_open(visitor: Visitor) -> None:
    visitor.click("select", "shoe-03")
    answer = visitor.click("select", "does-not-exist")
    assert route(answer) == ["awaiting_confirmation", "clarifying"]
    assert "Running shoes 03" in answer["reply"]["text"]
    visitor.say("yes")
    assert confirmed(visitor) == CONFIRMED


def test_without_a_catalogue_of_ours_the_callers_items_are_confirmed(router: Actor, opened: Opens) -> None:
    visitor = Visitor(router, opened(driver="assistant"))
    assert state(visitor.click("select", "their-own")) == "awaiting_confirmation"


def test_after_expiry_a_clear_new_wish_is_served_in_the_same_turn(clock: Clock, visitor: Visitor) -> None:
    visitor.click("select", "shoe-03")
    clock.advance(seconds=301)
    answer = visitor.say("summer dress")
    assert route(answer) == ["awaiting_confirmation", "idle", "recommending"]
    assert card_ids(answer) == ["dress-1", "dress-2"]
    assert len(visitor.events("confirmation_expired")) == 1


def test_a_shorter_lifetime_applies_to_a_question_that_is_open(clock: Clock, visitor: Visitor, editor: Actor) -> None:
    visitor.click("select", "shoe-03")
    policy(editor, confirmation_seconds=10)
    clock.advance(seconds=11)
    assert state(visitor.say("yes")) == "idle"
    assert confirmed(visitor) == []


def test_a_longer_lifetime_too(clock: Clock, visitor: Visitor, editor: Actor) -> None:
    visitor.click("select", "shoe-03")
    policy(editor, confirmation_seconds=1200)
    clock.advance(seconds=1200)
    visitor.say("yes")
    assert confirmed(visitor) == CONFIRMED
