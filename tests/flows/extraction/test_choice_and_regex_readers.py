import pytest

from tests.flows.extraction.support import codes, extract, spec, values

PLAN = spec("plan", "choice", choices=("Basic", "Premium", "Premium Plus"))


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("premium please", "Premium"),
        ("I'd take premium plus", "Premium Plus"),
        ("PREMUM", "Premium"),
        ("bassic", "Basic"),
        ("not premium, basic", "Basic"),
        ("premium, not the basic", "Premium"),
    ],
)
def test_a_choice_is_named_or_nearly_named(text, choice):
    assert values(text, PLAN) == {"plan": choice}


@pytest.mark.parametrize("text", ["geen idee", "not premium", "basket", "", "the blue one"])
def test_anything_else_chooses_nothing(text):
    assert values(text, PLAN) == {}


def test_two_choices_named_are_no_choice():
    assert values("basic or premium", PLAN) == {}
    assert codes("basic or premium", PLAN) == {"plan": "ambiguous"}


def test_a_misspelling_as_near_to_one_choice_as_to_another_is_refused():
    tied = spec("size", "choice", choices=("consultatie", "consultatia"))
    assert values("consultatio", tied) == {}
    assert codes("consultatio", tied) == {"size": "choice_tied"}


def test_a_short_choice_must_be_spelled_right():
    assert values("yep", spec("agree", "choice", choices=("yes", "no"))) == {}
    assert values("yes!", spec("agree", "choice", choices=("yes", "no"))) == {"agree": "yes"}


@pytest.mark.parametrize(
    ("pattern", "value"),
    [(r"\bNL\d{2}\b", "NL12"), (r"order (\w+)", "NL12"), (r"(order) (?P<value>\w+)", "NL12")],
)
def test_a_pattern_gives_its_value_group_its_first_group_or_all_of_it(pattern, value):
    assert values("my order NL12 is late", spec("order", "regex", pattern=pattern)) == {"order": value}


def test_a_pattern_that_would_hang_is_stopped_and_the_other_facts_still_come():
    hanging = spec("order", "regex", pattern=r"(a+)+$")
    text = "a" * 3000 + "! john@example.com"
    result = extract(text, hanging, spec("email", "email"))
    assert list(result.facts) == ["email"]
    assert [(r.name, r.code) for r in result.rejected] == [("order", "pattern_timeout")]


@pytest.mark.parametrize(("pattern", "code"), [("(", "pattern_invalid"), ("a" * 201, "pattern_too_long")])
def test_a_pattern_that_cannot_run_is_reported_not_raised(pattern, code):
    assert codes("anything", spec("order", "regex", pattern=pattern)) == {"order": code}
