import pytest

from guards.policies import (
    active_threads,
    bot_filter,
    grace_period,
    last_persona,
    persona_cooldown,
    self_reply,
    turn_limit,
)
from guards.policies.context import Persona, Stage
from guards.policies.verdict import Action
from guards.policy_document import ThreadPolicy
from tests.guards.policies.world import ADA, BEN, context

POLICY = ThreadPolicy()


@pytest.mark.parametrize(
    "mark",
    [
        {"subtype": "bot_message"},
        {"has_bot_id": True},
        {"has_bot_profile": True},
        {"own_identity": True},
        {"has_bot_id": True, "sender_persona": "ada"},
    ],
)
def test_any_mark_of_a_bot_is_enough_to_be_ignored(mark):
    verdict = bot_filter.check(context(**mark), POLICY)
    assert (verdict.allowed, verdict.code, verdict.action) == (False, "bot_message", Action.SKIP)


@pytest.mark.parametrize(
    "harmless",
    [
        {},
        {"subtype": "thread_broadcast"},
        {"sender_persona": "ada"},
        {"own_identity": True, "has_bot_id": True, "subtype": "bot_message", "sender_persona": "ada"},
    ],
)
def test_a_message_without_a_bots_mark_passes_the_bot_filter(harmless):
    assert bot_filter.check(context(**harmless), POLICY).allowed


@pytest.mark.parametrize(("before", "allowed"), [(0, True), (6, True), (7, True), (8, False), (9, False)])
def test_the_eighth_message_is_answered_and_the_ninth_is_not(before, allowed):
    verdict = turn_limit.check(context(turns=before), POLICY)
    assert verdict.allowed is allowed
    assert verdict.code == (None if allowed else "max_turns")
    assert verdict.figures == {"turns": before, "max_turns": 8}


@pytest.mark.parametrize(("age", "allowed"), [(None, True), (0, False), (3_999, False), (4_000, True)])
def test_the_grace_period_ends_at_exactly_four_seconds(age, allowed):
    verdict = grace_period.check(context(last_message_age_ms=age), POLICY)
    assert verdict.allowed is allowed
    assert verdict.code == (None if allowed else "grace_period")


def test_at_posting_time_the_grace_period_postpones_instead_of_dropping():
    arrived = grace_period.check(context(last_message_age_ms=1_500), POLICY)
    posting = grace_period.check(context(last_message_age_ms=1_500, stage=Stage.POSTING), POLICY)
    assert (arrived.action, arrived.wait_ms) == (Action.SKIP, None)
    assert (posting.action, posting.wait_ms) == (Action.DELAY, 2_500)


@pytest.mark.parametrize(("age", "allowed"), [(None, True), (0, False), (24_999, False), (25_000, True)])
def test_a_persona_may_post_again_after_exactly_twenty_five_seconds(age, allowed):
    verdict = persona_cooldown.check(context(personas=(Persona("ada", age),)), POLICY)
    assert verdict.allowed is allowed
    assert verdict.code == (None if allowed else "persona_cooldown")


def test_the_cooldown_lets_the_message_through_while_one_persona_is_rested():
    verdict = persona_cooldown.check(context(personas=(Persona("ada", 1), BEN)), POLICY)
    assert verdict.allowed
    assert verdict.figures["cooling"] == "ada"


@pytest.mark.parametrize(("before", "allowed"), [(0, False), (1, False), (2, True), (3, True)])
def test_a_personas_message_is_answered_only_in_a_thread_with_two_turns_already(before, allowed):
    verdict = self_reply.check(context(sender_persona="ada", turns=before), POLICY)
    assert verdict.allowed is allowed
    assert verdict.code == (None if allowed else "self_reply")


def test_a_visitors_first_message_is_not_a_self_reply():
    assert self_reply.check(context(turns=0), POLICY).allowed


def test_a_persona_that_is_alone_does_not_answer_itself():
    verdict = self_reply.check(context(sender_persona="ada", turns=5, personas=(ADA,)), POLICY)
    assert verdict.code == "self_reply"


@pytest.mark.parametrize(
    ("elsewhere", "active", "allowed"),
    [(4, False, True), (5, False, False), (6, False, False), (5, True, True), (9, True, True)],
)
def test_a_sixth_thread_waits_but_an_active_one_does_not_count_against_itself(elsewhere, active, allowed):
    verdict = active_threads.check(context(active_threads_elsewhere=elsewhere, thread_active=active), POLICY)
    assert verdict.allowed is allowed
    assert verdict.code == (None if allowed else "too_many_active_threads")


def test_the_last_persona_may_not_post_next_when_it_is_the_only_one():
    assert last_persona.check(context(last_persona="ada", personas=(ADA,)), POLICY).code == "last_persona"
    assert last_persona.check(context(last_persona="ada", personas=(ADA, BEN)), POLICY).allowed


@pytest.mark.parametrize(
    ("guard", "changes", "words"),
    [
        (turn_limit, {"turns": 8}, "[CONDUCTOR] Thread reached max turns"),
        (grace_period, {"last_message_age_ms": 1}, "[CONDUCTOR] Thread too recent (grace period)"),
        (active_threads, {"active_threads_elsewhere": 5}, "[CONDUCTOR] Too many active threads"),
    ],
)
def test_log_lines_keep_the_seeds_words(guard, changes, words):
    line = guard.check(context(**changes), POLICY).log_line
    assert line.startswith(words)


def test_an_allowed_message_leaves_no_log_line():
    assert turn_limit.check(context(), POLICY).log_line is None
