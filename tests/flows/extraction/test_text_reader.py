import pytest

from tests.flows.extraction.support import extract, spec, values

NOTE = spec("note")
NAME = spec("contact_name")


@pytest.mark.parametrize(
    "text",
    [
        "Umm, not ready to share that",
        "I don't know",
        "I don’t know",
        "idk",
        "geen idee",
        "Dat zeg ik liever niet",
        "liever niet",
        "Ik wil dat niet zeggen",
        "je ne sais pas",
        "aucune idée",
        "I'd rather not say",
        "I don't want to tell you that",
        "skip",
        "",
        "   ",
        "...",
        "👍",
        "why do you need that?",
        "Why do you need that",
        "Waarom wil je dat weten?",
        "hello",
        "Hoi!",
    ],
)
def test_a_refusal_a_question_back_or_a_greeting_is_no_value(text):
    assert values(text, NOTE) == {}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("A red bike.", "A red bike"),
        ("A red bike. Why do you ask?", "A red bike"),
        ("I don't know the brand, but it is red", "it is red"),
        ("I don't want to lose muscle", "I don't want to lose muscle"),
        ("Ok, the blue door", "the blue door"),
    ],
)
def test_what_is_said_beside_it_is_the_value(text, value):
    assert values(text, NOTE) == {"note": value}


@pytest.mark.parametrize("text", ["My name is Jan", "ik heet Jan", "je m'appelle Jan", "naam: Jan", "I'm Jan, hello"])
def test_an_introduction_gives_the_name_alone(text):
    assert values(text, NAME) == {"contact_name": "Jan"}


def test_a_bare_no_is_a_value_nobody_should_trust():
    assert extract("no", NOTE).facts["note"].confidence < extract("nothing at all", NOTE).facts["note"].confidence


def test_free_text_gets_what_typed_facts_leave():
    found = values(
        "john@example.com, I have a bad knee and my phone is 06-12345678",
        spec("email", "email"),
        spec("phone", "phone"),
        NOTE,
    )
    assert found == {"email": "john@example.com", "phone": "+31612345678", "note": "I have a bad knee"}


def test_the_words_announcing_a_typed_fact_are_no_free_text():
    assert values("My email is john@example.com", spec("email", "email"), NOTE) == {"email": "john@example.com"}


def test_several_free_text_facts_are_filled_only_where_named():
    wanted = (spec("name"), spec("city"), spec("hobby"))
    assert values("name: Jan and my city is Gent", *wanted) == {"name": "Jan", "city": "Gent"}
    assert values("I like long walks", *wanted) == {}
