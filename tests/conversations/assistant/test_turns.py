"""What holds of every turn of the assistant."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.cast import Actor, Clock, accepted, refused
from tests.conversations.assistant.conftest import Arrives
from tests.conversations.assistant.world import NOTHING_PENDING, Visitor, card_ids, fired, state
from tests.invariants import snapshot

pytestmark = pytest.mark.django_db

STEPS = [
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


def test_every_turn_tells_all_twelve_steps_in_order_with_a_reason(visitor: Visitor) -> None:
    for turn in ({"text": "running shoes"}, {"meaning": "human"}, {"text": "hello"}):
        guards = visitor.say(**turn)["guards"]
        assert [guard["name"] for guard in guards] == STEPS
        assert all(guard["reason"] for guard in guards)


def test_a_new_dialogue_is_idle_before_its_first_turn(visitor: Visitor) -> None:
    assert visitor.dialogue() == {
        "state": "idle",
        "last_intent": None,
        "pagination": {"offset": 0, "limit": 5, "last_query_hash": None},
        "pending_confirmation": NOTHING_PENDING,
        "clarification_attempts": 0,
        "last_user_message_id": None,
        "last_agent_message_id": None,
    }


def test_a_message_id_is_handled_once(visitor: Visitor) -> None:
    first = visitor.say("running shoes", message_id="same")
    before = snapshot()
    body = {"message_id": "same", "text": "running shoes"}
    again = visitor.router.post(f"{visitor.path}/turns", body)
    assert accepted(again) == {**first, "duplicate": True}
    assert again.headers["Idempotent-Replayed"] == "true"
    assert snapshot() == before


def test_other_words_under_the_same_message_id_are_refused(visitor: Visitor) -> None:
    visitor.say("running shoes", message_id="same")
    before = snapshot()
    for other in ({"text": "summer dress"}, {"text": "running shoes", "meaning": "human"}):
        answer = visitor.router.post(f"{visitor.path}/turns", {"message_id": "same", **other})
        refused(answer, 422, "idempotency_mismatch")
    assert snapshot() == before


def test_an_older_message_id_is_no_new_message_either(visitor: Visitor) -> None:
    first = accepted(visitor.router.post(f"{visitor.path}/turns", {"message_id": "old", "text": "running shoes"}))
    visitor.click("show_more")
    before = snapshot()
    again = accepted(visitor.router.post(f"{visitor.path}/turns", {"message_id": "old", "text": "running shoes"}))
    assert again == {**first, "duplicate": True}
    assert snapshot() == before


def test_a_repeated_yes_by_the_same_message_runs_once(visitor: Visitor) -> None:
    visitor.click("select", "shoe-01")
    visitor.say("yes", message_id="yes")
    visitor.say("yes", message_id="yes")
    assert len(visitor.events("action_confirmed")) == 1


def test_turns_do_not_count_towards_depth(visitor: Visitor) -> None:
    for text in ("running shoes", "show more", "summer dress", "thanks", "hello", "running shoes", "bye"):
        visitor.say(text)
    told = visitor.relationship()
    assert (told["conversation_depth"], told["conversation_state"]) == (0, "active")


def test_the_trace_names_the_last_message_of_each_side(visitor: Visitor) -> None:
    first = visitor.say("running shoes", message_id="one")["dialogue"]
    second = visitor.say("show more", message_id="two")["dialogue"]
    assert (first["last_user_message_id"], second["last_user_message_id"]) == ("one", "two")
    assert first["last_agent_message_id"] != second["last_agent_message_id"]


def test_after_half_an_hour_of_silence_a_new_talk_begins(clock: Clock, visitor: Visitor) -> None:
    visitor.say("running shoes")
    clock.advance(minutes=30)
    assert state(visitor.click("show_more")) == "recommending", "half an hour exactly is not over it"
    clock.advance(minutes=30, seconds=1)
    answer = visitor.click("show_more")
    assert (state(answer), card_ids(answer), "timeout" in fired(answer)) == ("idle", [], True)
    assert [event["payload"]["reason"] for event in visitor.events("dialogue_reset")] == ["timeout"]


def test_a_low_confidence_of_the_caller_is_asked_about(visitor: Visitor) -> None:
    assert state(visitor.say("shoes", intent="product_search", confidence=0.49)) == "clarifying"
    assert state(visitor.say("shoes", intent="product_search", confidence=0.5)) == "recommending"


@pytest.mark.parametrize(
    "text",
    ["je cherche running shoes", "bghit running shoes", "Do you have runing shoes?", "RUNNING SHOES", "rûnning shôes"],
)
def test_a_wish_is_understood_in_three_languages_with_typos_and_accents(text: str, visitor: Visitor) -> None:
    assert card_ids(visitor.say(text)) != []


@pytest.mark.parametrize(("language", "sentence"), [("fr", "Voici ce que"), ("ary", "Hahowa"), ("tlh", "Here is what")])
def test_the_reply_is_in_the_language_the_conversation_was_opened_in(
    language: str, sentence: str, arrives: Arrives
) -> None:
    assert sentence in arrives(context={"language": language}).say("running shoes")["reply"]["text"]


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"meaning": "dance"}, "meaning"),
        ({"confidence": 1.1}, "confidence"),
        ({"confidence": "high"}, "confidence"),
        ({"intent": 7}, "intent"),
        ({"text": None}, "text"),
        ({"message_id": ""}, "message_id"),
        ({"surprise": 1}, "surprise"),
    ],
)
def test_a_turn_that_makes_no_sense_is_refused_and_changes_nothing(
    wrong: dict[str, object], field: str, visitor: Visitor, router: Actor
) -> None:
    before = snapshot(), visitor.dialogue()
    answer = router.post(f"{visitor.path}/turns", {"message_id": "m", "text": "shoes", **wrong})
    assert [error["field"] for error in refused(answer, 422, "invalid")["errors"]] == [field]
    assert (snapshot(), visitor.dialogue()) == before


WORDS = ["running shoes", "summer dress", "more", "yes", "la", "hmm", "hello", "thanks", "i take shoe-01"]
SENDABLE = st.characters(exclude_characters="\0", exclude_categories=("Cs",))
MESSAGES = st.one_of(
    st.one_of(st.text(SENDABLE, max_size=40), st.sampled_from(WORDS)).map(lambda text: {"text": text}),
    st.sampled_from(["show_more", "confirm", "cancel"]).map(lambda meaning: {"meaning": meaning}),
    st.sampled_from(["shoe-01", "dress-1", "nothing"]).map(lambda item: {"meaning": "select", "target_id": item}),
    st.sampled_from(["product_search", "Show More", "weather"]).map(lambda intent: {"intent": intent, "text": "shoes"}),
)


@given(talk=st.lists(MESSAGES, max_size=6))
@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_said_the_document_is_valid_nothing_is_shown_twice_and_the_row_is_the_fold(
    talk: list[dict[str, str]], arrives: Arrives
) -> None:
    visitor = arrives()
    for turn in talk:
        visitor.say(**turn)
    assert len(visitor.cards_seen) == len(set(visitor.cards_seen))
    if talk:
        visitor.assert_row_is_the_fold()
