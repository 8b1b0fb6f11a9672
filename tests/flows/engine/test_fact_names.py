"""`facts` is optional: what nobody declared is read by its name."""

import pytest

from flows.engine.compiled import load
from flows.engine.runner import fact_spec
from tests.flows.engine.support import asker, flow


def kind(name, **keys):
    return fact_spec(load(flow(asker(produces=[name]), **keys)), keys.get("factAliases", {}).get(name, name)).type


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("contact_email", "email"),
        ("email-address", "email"),
        ("Contact Phone", "phone"),
        ("phone_number", "phone"),
        ("booking_date", "date"),
        ("geboortedatum", "date"),
        ("update", "text"),
        ("email_subject", "text"),
        ("address", "text"),
        ("goal_target", "text"),
    ],
)
def test_the_last_telling_word_of_a_name_says_what_it_is(name, expected):
    assert kind(name) == expected


def test_an_alias_speaks_for_the_fact_it_stands_for():
    assert kind("email", factAliases={"email": "where_to_write"}) == "email"


def test_what_is_declared_is_believed_whatever_the_name_says():
    assert kind("contact_email", facts={"contact_email": {"type": "text"}}) == "text"
