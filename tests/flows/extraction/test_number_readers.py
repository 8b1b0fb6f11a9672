import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.flows.extraction.support import codes, extract, spec, values

NUMBER = spec("age", "number")
QUANTITY = spec("load", "quantity")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("I am 30", "30"),
        ("2,5", "2.5"),
        ("it's 2.50 exactly", "2.5"),
        ("1.500,75 in total", "1500.75"),
        ("1,234,567", "1234567"),
        ("0,500", "0.5"),
        ("minus: -4", "-4"),
        ("drie", "3"),
        ("about 80", "80"),
    ],
)
def test_a_number_is_a_decimal_string(text, value):
    assert values(text, NUMBER) == {"age": value}


@pytest.mark.parametrize("text", ["at 14:30", "covid-19", "a1", "x@4.nl", "0612345678", "ten minste", "2026-01-15"])
def test_digits_inside_something_else_are_no_number(text):
    assert values(text, NUMBER) == {}


def test_a_lone_thousands_mark_could_be_a_decimal_one_so_it_is_less_sure():
    assert extract("1.500", NUMBER).facts["age"].confidence < extract("1500", NUMBER).facts["age"].confidence


@given(st.decimals(min_value=-999999, max_value=999999, places=2), st.sampled_from(".,"))
def test_any_decimal_survives_either_decimal_mark(number, mark):
    text = f"{number:f}".replace(".", mark)
    read = values(text, NUMBER)["age"]
    assert isinstance(read, str)
    assert float(read) == float(number)


@pytest.mark.parametrize(
    ("text", "amount", "unit"),
    [
        ("300 lbs", "300", "lb"),
        ("225kg", "225", "kg"),
        ("2 uur", "2", "h"),
        ("2,5 uur per dag", "2.5", "h"),
        ("twee uur", "2", "h"),
        ("€ 1.500,50", "1500.5", "EUR"),
        ("50 euros", "50", "EUR"),
        ("10%", "10", "%"),
        ("30-min", "30", "min"),
    ],
)
def test_a_quantity_is_an_amount_with_a_known_unit(text, amount, unit):
    assert values(text, QUANTITY) == {"load": {"amount": amount, "unit": unit}}


def test_a_bare_number_is_a_quantity_only_when_it_is_the_whole_answer():
    assert values("about 225", QUANTITY) == {"load": {"amount": "225", "unit": None}}
    assert values("I am 30 and tired", QUANTITY) == {}


def test_two_numbers_for_one_fact_need_its_name():
    age = spec("age", "number")
    assert values("I'm 30 and have 3 kids", age) == {}
    assert codes("I'm 30 and have 3 kids", age) == {"age": "ambiguous"}
    assert values("my age is 30, I have 3 kids", age) == {"age": "30"}


def test_saying_it_twice_is_not_ambiguous():
    assert values("300 lbs, yes 300 lbs", QUANTITY) == {"load": {"amount": "300", "unit": "lb"}}
