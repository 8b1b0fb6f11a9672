import pytest

from flows.extraction.port import Locale
from tests.flows.extraction.support import extract, spec, values

EMAIL = spec("email", "email")
PHONE = spec("phone", "phone")


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("Ok, john@example.com", "john@example.com"),
        ("mail me (john@example.com).", "john@example.com"),
        ("'A.B+c@Example.NL'", "A.B+c@example.nl"),
        ("mailto:jan@voorbeeld.nl!", "jan@voorbeeld.nl"),
    ],
)
def test_an_address_is_found_whatever_surrounds_it(text, address):
    assert values(text, EMAIL) == {"email": address}


@pytest.mark.parametrize("text", ["john@localhost", "@example.com", "john at example.com", "a..b@example.com", "a@b"])
def test_what_is_no_valid_address_is_no_fact(text):
    assert values(text, EMAIL) == {}


def test_of_two_addresses_the_first_is_taken_with_less_confidence():
    fact = extract("jan@example.com or piet@example.com", EMAIL).facts["email"]
    assert fact.value == "jan@example.com"
    assert fact.confidence < extract("jan@example.com", EMAIL).facts["email"].confidence


def test_a_number_without_country_code_is_read_in_the_region_given():
    assert values("bel 0470 12 34 56", PHONE, locale=Locale(region="BE")) == {"phone": "+32470123456"}
    assert values("bel 06-12345678", PHONE, locale=Locale(region="NL")) == {"phone": "+31612345678"}


def test_a_country_code_beats_the_region():
    assert values("+1 650-253-0000", PHONE, locale=Locale(region="NL")) == {"phone": "+16502530000"}


@pytest.mark.parametrize("text", ["12345", "I bench 300 lbs", "2026-03-04", "order 000-000-0000"])
def test_other_digits_are_no_phone_number(text):
    assert values(text, PHONE) == {}


def test_both_ways_of_contact_come_out_of_one_message():
    found = values("jan@example.com, or call 06-12345678", EMAIL, PHONE)
    assert found == {"email": "jan@example.com", "phone": "+31612345678"}
