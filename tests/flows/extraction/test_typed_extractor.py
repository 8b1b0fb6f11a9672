import json
from datetime import UTC, datetime
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from flows.engine.definition import FactSpec as DeclaredFact
from flows.engine.definition import FactType
from flows.extraction.port import MAX_TEXT, FactSpec
from tests.flows.extraction.support import extract, spec, values

TARGET, BASELINE, DELTA = (spec(f"goal_{part}", "quantity") for part in ("target", "baseline", "delta"))
EVERY_TYPE = tuple(spec(f"{kind}_fact", kind, choices=("red", "blue"), pattern=r"[A-Z]{2}\d+") for kind in FactType)


def pounds(amount):
    return {"amount": amount, "unit": "lb"}


def test_the_seeds_goal_sentence_fills_target_and_baseline_and_invents_no_delta():
    found = values(
        "I want to bench press 300 lbs, currently at 225 lbs", TARGET, BASELINE, DELTA, spec("goal_category")
    )
    assert found == {
        "goal_target": pounds("300"),
        "goal_baseline": pounds("225"),
        "goal_category": "I want to bench press",
    }


def test_cue_words_beat_the_order_of_the_sentence():
    expected = {"goal_target": pounds("300"), "goal_baseline": pounds("225")}
    for text in (
        "Currently 225 lbs, want 300 lbs",
        "from 225 lbs to 300 lbs",
        "225 lbs now, 300 lbs is my target",
    ):
        assert values(text, TARGET, BASELINE) == expected, text


def test_a_value_announced_for_another_role_is_not_taken():
    assert values("I want 300 lbs", BASELINE) == {}


def test_without_cues_values_go_in_order_and_with_less_confidence():
    ordered = extract("300 lbs and 225 lbs", TARGET, BASELINE).facts
    assert {name: fact.value for name, fact in ordered.items()} == {
        "goal_target": pounds("300"),
        "goal_baseline": pounds("225"),
    }
    assert ordered["goal_target"].confidence < extract("300 lbs", TARGET).facts["goal_target"].confidence


def test_a_span_used_by_one_fact_is_not_used_by_another():
    found = values("I am 30 and weigh 80 kg", spec("age", "number"), spec("weight", "quantity"))
    assert found == {"age": "30", "weight": {"amount": "80", "unit": "kg"}}


def test_a_fact_is_looked_for_as_the_flow_declares_it():
    declared = DeclaredFact(FactType.CHOICE, ("red", "blue"))
    assert FactSpec.of("colour", declared) == spec("colour", "choice", choices=("red", "blue"))
    assert values("the blue one", FactSpec.of("colour", declared)) == {"colour": "blue"}


def test_only_wanted_facts_come_out():
    assert values("john@example.com, next tuesday, 300 lbs", spec("email", "email")) == {"email": "john@example.com"}


def test_a_message_of_any_length_is_read_up_to_the_limit():
    assert values("x" * MAX_TEXT + " john@example.com", spec("email", "email")) == {}


def test_the_extractor_and_words_are_kept_and_stored_without_floats():
    fact = extract("Ok, john@example.com", spec("email", "email")).facts["email"]
    assert fact.as_json() == {
        "value": "john@example.com",
        "confidence": "0.99",
        "span": {"start": 4, "end": 20, "words": "john@example.com"},
        "extractor": "typed.email",
    }


def _no_float(literal):
    raise AssertionError(f"a float in a stored fact: {literal}")


PHRASES = st.sampled_from(
    [
        "tomorrow",
        "john@example.com",
        "06-12345678",
        "300 lbs",
        "2,5",
        "red",
        "NL12",
        "I want",
        "?",
        "geen idee",
        "\x00",
        "’",
        "ﬁ",
        "\n",
    ]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.one_of(PHRASES, st.text(max_size=12)), max_size=12).map(" ".join))
def test_any_text_gives_facts_whose_words_stand_where_they_say(text):
    result = extract(text, *EVERY_TYPE)
    taken = sorted((fact.span.start, fact.span.end) for fact in result.facts.values())
    assert all(end <= start for (_, end), (start, _) in pairwise(taken))
    for fact in result.facts.values():
        assert text[fact.span.start : fact.span.end].replace("\x00", " ") == fact.span.words
        assert 0 < fact.confidence <= 1
        assert json.loads(json.dumps(fact.as_json()), parse_float=_no_float)


@settings(max_examples=20, deadline=None)
@given(st.text(max_size=60), st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1)))
def test_the_same_words_and_moment_always_give_the_same_facts(text, moment):
    now = moment.replace(tzinfo=UTC)
    assert extract(f"{text} tomorrow", *EVERY_TYPE, now=now) == extract(f"{text} tomorrow", *EVERY_TYPE, now=now)
