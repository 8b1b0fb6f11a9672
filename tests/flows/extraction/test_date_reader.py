from datetime import UTC, datetime

import pytest

from flows.extraction.port import Locale
from tests.flows.extraction.support import codes, extract, spec, values

DAY = spec("booking_date", "date")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Schedule me for next Tuesday", "2026-01-20"),
        ("volgende dinsdag graag", "2026-01-20"),
        ("mardi prochain", "2026-01-20"),
        ("tomorrow at 3pm", "2026-01-16T15:00:00+01:00"),
        ("at 3pm tomorrow", "2026-01-16T15:00:00+01:00"),
        ("morgen om 15u30", "2026-01-16T15:30:00+01:00"),
        ("demain à 14h", "2026-01-16T14:00:00+01:00"),
        ("dinsdag 3 februari om 14 uur", "2026-02-03T14:00:00+01:00"),
        ("the 3rd of March", "2026-03-03"),
        ("12 maart", "2026-03-12"),
        ("le 14 juillet", "2026-07-14"),
        ("born 5 mei 1990", "1990-05-05"),
        ("over een week", "2026-01-22"),
        ("in 2 weeks", "2026-01-29"),
        ("dans 3 jours", "2026-01-18"),
        ("2026-03-04", "2026-03-04"),
    ],
)
def test_a_day_is_read_in_three_languages(text, value):
    assert values(text, DAY) == {"booking_date": value}


@pytest.mark.parametrize(
    "text",
    [
        "may I ask why?",
        "call me",
        "I am 30",
        "goede morgen",
        "he sat down",
        "31 feb 2026",
        "30/02/2026",
        "at 225 now",
        "3pm",
    ],
)
def test_what_names_no_day_is_no_date(text):
    assert values(text, DAY) == {}


@pytest.mark.parametrize("text", ["1/1/99", "5 mei 99", "5 mei '99", "May 5, 99"])
def test_a_year_of_two_digits_could_be_either_century_and_is_not_guessed(text):
    assert values(text, DAY) == {}


def test_an_hour_after_a_day_is_no_year():
    for text in ("5 mei 10 uur", "5 mei 10:00", "5 mei 10.00", "May 5 10am"):
        assert values(text, DAY) == {"booking_date": "2026-05-05T10:00:00+02:00"}, text


def test_a_day_of_next_week_is_not_the_day_after_today():
    monday = datetime(2026, 1, 19, 9, 0, tzinfo=UTC)
    assert values("next week tuesday", DAY, now=monday) == {"booking_date": "2026-01-27"}
    assert values("tuesday", DAY, now=monday) == {"booking_date": "2026-01-20"}


def test_tomorrow_is_the_visitors_tomorrow_not_ours():
    late = datetime(2026, 1, 15, 23, 30, tzinfo=UTC)
    assert values("tomorrow", DAY, now=late, locale=Locale(timezone="Europe/Amsterdam")) == {
        "booking_date": "2026-01-17"
    }
    assert values("tomorrow", DAY, now=late, locale=Locale(timezone="America/New_York")) == {
        "booking_date": "2026-01-16"
    }


def test_the_order_of_day_and_month_is_an_argument_and_lowers_confidence():
    assert values("3/4/2026", DAY) == {"booking_date": "2026-04-03"}
    assert values("3/4/2026", DAY, locale=Locale(date_order="MDY")) == {"booking_date": "2026-03-04"}
    numeric, spelled = (extract(text, DAY).facts["booking_date"] for text in ("3/4/2026", "3 april 2026"))
    assert numeric.confidence < spelled.confidence


def test_two_days_for_one_question_are_no_answer():
    assert values("tuesday or friday", DAY) == {}
    assert codes("tuesday or friday", DAY) == {"booking_date": "ambiguous"}


def test_the_words_of_the_whole_expression_are_kept():
    fact = extract("Put me down for next Tuesday at 9:30, ok", DAY).facts["booking_date"]
    assert fact.span.words == "next Tuesday at 9:30"
