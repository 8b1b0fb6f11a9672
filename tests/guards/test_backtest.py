from dataclasses import replace

from guards.backtest import RecordedDecision, backtest
from guards.chain import Outcome
from guards.policy_document import ThreadPolicy
from tests.guards.policies.world import context

SEED = ThreadPolicy()
RECORDS = [
    RecordedDecision(f"event-{turns}", context(event_id=f"Ev{turns}", turns=turns, last_message_age_ms=6_000), SEED)
    for turns in range(10)
]


def test_the_same_policy_changes_nothing():
    report = backtest(RECORDS, SEED)
    assert (report.examined, report.differences, report.not_replayed) == (10, (), ())


def test_a_tighter_turn_limit_names_the_messages_it_would_have_left_unanswered():
    report = backtest(RECORDS, replace(SEED, max_turns=6))
    assert [difference.reference for difference in report.differences] == ["event-6", "event-7"]
    for difference in report.differences:
        assert (difference.before.action, difference.after.action) == (Outcome.REPLY, Outcome.SKIP)
        assert difference.after.code == "max_turns"
        assert difference.guards == ("turn_limit",)


def test_a_looser_turn_limit_names_the_messages_it_would_have_answered():
    report = backtest(RECORDS, replace(SEED, max_turns=9))
    assert [(d.reference, d.before.code, d.after.action) for d in report.differences] == [
        ("event-8", "max_turns", Outcome.REPLY)
    ]


def test_another_delay_is_another_decision_without_a_changed_verdict():
    report = backtest(RECORDS[:1], replace(SEED, min_delay_seconds=8))
    assert [(d.after.delay_ms, d.guards) for d in report.differences] == [(8_000, ())]


def test_a_changed_activity_window_is_said_to_be_beyond_the_record():
    assert backtest(RECORDS, replace(SEED, active_window_minutes=3)).not_replayed == ("threads.active_window_minutes",)
