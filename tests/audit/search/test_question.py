"""What a search may ask: read strictly, answered clearly."""

from datetime import UTC, datetime, timedelta

import pytest

from audit.search.moments import PLACES, KeyGiver, first_key, moment_of
from audit.search.question import DEFAULT_DAYS, question_of
from audit.search.words import indexed_words, terms_of

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_without_a_period_the_last_month_is_meant() -> None:
    question = question_of({}, now=NOW)
    assert question.problems == {}
    assert question.until > NOW
    assert question.until - question.since == timedelta(days=DEFAULT_DAYS)


def test_a_date_as_an_end_means_the_whole_day() -> None:
    question = question_of({"since": "2026-02-01", "until": "2026-02-01"}, now=NOW)
    assert question.problems == {}
    assert question.until - question.since == timedelta(days=1)


@pytest.mark.parametrize(
    ("told", "problems"),
    [
        ({"since": "2026-02-02", "until": "2026-02-01"}, {"until": "backwards"}),
        ({"since": "2020-01-01"}, {"since": "too_long_ago"}),
        ({"since": "yesterday"}, {"since": "no_moment"}),
        ({"until": "9999-12-31"}, {"until": "no_moment"}),
        ({"since": "0001-01-01"}, {"since": "no_moment"}),
        ({"colour": "red"}, {"colour": "unknown_filter"}),
        ({"type": "a type; DROP TABLE"}, {"type": "no_type"}),
        ({"q": "***"}, {"q": "no_words"}),
        ({"q": "x" * 201}, {"q": "too_long"}),
        ({"party": "a\x00b"}, {"party": "too_long"}),
        ({"before": "-1"}, {"before": "no_page"}),
    ],
)
def test_what_makes_no_sense_is_named(told: dict[str, str], problems: dict[str, str]) -> None:
    assert question_of(told, now=NOW).problems == problems


def test_a_cursor_ends_the_period_earlier_never_later() -> None:
    whole = question_of({}, now=NOW)
    assert question_of({"before": str(whole.first + 5)}, now=NOW).end == whole.first + 5
    assert question_of({"before": "9" * 19}, now=NOW).end == whole.end


def test_words_are_the_values_and_never_the_names_of_fields() -> None:
    assert indexed_words('{"intent":"Offer_Mortgage","context":{"guest":"Ada Löwe","table":4,"vip":true}}') == [
        "offer",
        "mortgage",
        "ada",
        "lowe",
        "4",
    ]


def test_terms_are_cut_like_the_words_they_look_for() -> None:
    assert terms_of("LÖWE, ada lowe mort*") == ["lowe", "ada", "mort*"]


def test_keys_follow_the_clock_and_are_never_given_twice() -> None:
    giver = KeyGiver({first_key(NOW): first_key(NOW) + 4})
    later = NOW + timedelta(microseconds=1)
    keys = [giver.key_for(NOW), giver.key_for(NOW), giver.key_for(later)]
    assert keys == [first_key(NOW) + 5, first_key(NOW) + 6, first_key(NOW) + PLACES]
    assert [moment_of(key) for key in keys] == [NOW, NOW, later]
