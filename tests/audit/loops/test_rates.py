"""The arithmetic of accuracy: pure, exact where it can be, honest about sampling."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.metrics.agreement import agreements, kappa
from audit.metrics.cases import Case, grouped, week_of
from audit.metrics.consensus import Opinion, consensus
from audit.metrics.intervals import Estimate, ratio, wilson
from audit.metrics.lag import detection_lag
from audit.metrics.rates import accuracy
from audit.metrics.replay import replayed

AT = datetime(2026, 1, 5, tzinfo=UTC)


def case(detected: bool, is_loop: bool, *, weight: float = 1.0, peak: float = 0.0, lag: int | None = None) -> Case:
    return Case("c", detected, is_loop, AT, weight=weight, peak=peak, lag=lag)


def test_the_confusion_and_its_rates() -> None:
    cases = [case(True, True)] * 8 + [case(True, False)] * 2 + [case(False, True)] * 4 + [case(False, False)] * 6
    measured = accuracy(cases)
    assert measured.confusion == {"tp": 8, "fp": 2, "fn": 4, "tn": 6}
    assert (measured.precision.value, measured.precision.n) == (0.8, 10)
    assert (measured.recall.value, measured.recall.n) == (0.6667, 12)
    assert measured.f1.value == pytest.approx(16 / 22, abs=1e-4)


def test_without_labels_nothing_is_claimed() -> None:
    assert accuracy([]).precision.as_json() == {"value": None, "low": None, "high": None, "n": 0}


def test_wilsons_interval_is_the_published_one() -> None:
    """Newcombe 1998: 81 of 263 gives .2553 to .3662."""
    assert wilson(81 / 263, 263) == pytest.approx((0.2553, 0.3662), abs=1e-4)


def test_one_missed_loop_in_a_sample_stands_for_many() -> None:
    """50 quiet conversations, 5 of them looked at, 1 of those a loop: ten were missed, not one."""
    cases = [case(True, True)] * 10 + [case(False, True, weight=10)] + [case(False, False, weight=10)] * 4
    measured = accuracy(cases)
    assert measured.recall.value == 0.5
    assert measured.confusion["fn"] == 1
    unweighted = accuracy([case(True, True)] * 10 + [case(False, True)])
    assert unweighted.recall.value is not None
    assert unweighted.recall.value > 0.9
    assert measured.recall.high - measured.recall.low > unweighted.recall.high - unweighted.recall.low  # type: ignore[operator]


def test_a_quiet_sample_without_a_loop_does_not_prove_that_none_was_missed() -> None:
    """Ten of 500 quiet ones read, no loop among them: up to 28 % could be, so recall may be far below one."""
    found = [case(True, True)] * 20
    read = accuracy([*found, *[case(False, False, weight=50)] * 10])
    assert (read.recall.value, read.recall.high) == (1.0, 1.0)
    assert read.recall.low < 0.2  # type: ignore[operator]
    assert read.f1.low < 0.3  # type: ignore[operator]
    more = accuracy([*found, *[case(False, False, weight=1.25)] * 400])
    assert more.recall.low > 0.75  # type: ignore[operator]
    assert accuracy(found).recall.low == pytest.approx(0.8389, abs=1e-3)


def test_where_every_case_stands_for_itself_recall_is_wilsons() -> None:
    measured = accuracy([case(True, True)] * 3 + [case(False, True)] + [case(False, False)] * 6)
    assert (measured.recall.low, measured.recall.high) == pytest.approx(wilson(0.75, 4), abs=1e-4)


def test_the_interval_of_a_ratio_follows_those_of_its_parts() -> None:
    """Exact parts leave no doubt; doubt of one part alone is passed on undiminished."""
    exact = ratio(Estimate(3, 3, 3), Estimate(4, 4, 4))
    assert (exact.low, exact.high) == pytest.approx((0.75, 0.75))
    above = ratio(Estimate(3, 2, 5), Estimate(4, 4, 4))
    assert (above.low, above.high) == pytest.approx((0.5, 1.25))
    below = ratio(Estimate(3, 3, 3), Estimate(4, 3, 6))
    assert (below.low, below.high) == pytest.approx((0.5, 1.0))


@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.floats(0.1, 100)), min_size=1, max_size=60))
def test_every_rate_lies_in_its_interval_and_in_nought_to_one(drawn: list[tuple[bool, bool, float]]) -> None:
    measured = accuracy([case(detected, is_loop, weight=weight) for detected, is_loop, weight in drawn])
    for rate in (measured.precision, measured.recall, measured.f1):
        if rate.value is not None:
            assert 0 <= rate.low <= rate.value + 1e-4  # type: ignore[operator]
            assert rate.value - 1e-4 <= rate.high <= 1  # type: ignore[operator]


def test_kappa_takes_chance_out() -> None:
    pairs = [(True, True)] * 20 + [(True, False)] * 5 + [(False, True)] * 10 + [(False, False)] * 15
    assert kappa(pairs) == 0.4
    assert kappa([(True, True)] * 3) is None
    [pair] = agreements({"a": {"x": True, "y": True}, "b": {"x": True, "y": False}, "c": {"x": True}})
    assert (pair.reviewers, pair.n, pair.agreed) == (("x", "y"), 2, 1)


def test_the_majority_decides_and_a_split_goes_to_the_last_word() -> None:
    def said(reviewer: str, is_loop: bool, minute: int) -> Opinion:
        return Opinion(reviewer, is_loop, AT.replace(minute=minute))

    assert consensus([said("a", True, 1), said("b", True, 2), said("c", False, 3)]) is True
    assert consensus([said("a", True, 1), said("b", False, 2)]) is False
    assert consensus([said("a", False, 1), said("a", True, 0)]) is True


def test_another_threshold_names_the_cases_it_changes() -> None:
    sure, weak, quiet = case(True, True, peak=0.95), case(True, False, peak=0.85), case(False, True, peak=0.7)
    higher = replayed([sure, weak, quiet], 0.9)
    assert (higher.lost, higher.gained) == ((weak,), ())
    assert higher.after.precision.value == 1.0
    lower = replayed([sure, weak, quiet], 0.7)
    assert (lower.lost, lower.gained) == ((), (quiet,))


def test_lag_is_of_loops_that_were_found() -> None:
    cases = [case(True, True, lag=lag) for lag in (1, 2, 9)] + [case(True, False, lag=50), case(False, True)]
    assert (detection_lag(cases).n, detection_lag(cases).median, detection_lag(cases).p90) == (3, 2, 9)
    assert detection_lag([]).median is None


def test_cases_are_grouped_by_week() -> None:
    assert list(grouped([case(True, True)], week_of)) == ["2026-W02"]
