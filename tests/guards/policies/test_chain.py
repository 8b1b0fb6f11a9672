from types import ModuleType, SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from guards import chain
from guards.chain import Outcome, check_posting, decide, draw
from guards.policies.context import Persona, ThreadContext
from guards.policies.verdict import Action
from guards.policy_document import ThreadPolicy
from tests.guards.policies.world import ADA, BEN, CLEO, context

POLICY = ThreadPolicy()
IN_THE_SEEDS_ORDER = [
    "bot_message_filter",
    "turn_limit",
    "grace_period",
    "persona_cooldown",
    "self_reply",
    "concurrent_thread_limit",
    "last_persona_exclusion",
]


def test_a_visitors_first_message_is_answered_by_one_of_the_personas_after_two_to_eight_seconds():
    decision = decide(context(), POLICY)
    assert (decision.action, decision.code) == (Outcome.REPLY, None)
    assert decision.eligible == ("ada", "ben", "cleo")
    assert decision.persona in decision.eligible
    assert 2_000 <= decision.delay_ms <= 8_000


def test_all_seven_verdicts_are_kept_in_the_seeds_order_even_after_a_refusal():
    decision = decide(context(has_bot_id=True, turns=8, last_message_age_ms=0), POLICY)
    assert [verdict.guard for verdict in decision.verdicts] == IN_THE_SEEDS_ORDER
    assert [verdict.allowed for verdict in decision.verdicts] == [False, False, False, True, True, True, True]


def test_the_first_refusal_decides():
    worst = context(
        turns=8,
        last_message_age_ms=0,
        personas=(Persona("ada", 0),),
        active_threads_elsewhere=5,
        last_persona="ada",
    )
    decision = decide(worst, POLICY)
    assert (decision.code, decision.reason) == ("max_turns", "Thread reached max turns")


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"subtype": "bot_message"}, "bot_message"),
        ({"turns": 8}, "max_turns"),
        ({"last_message_age_ms": 3_999}, "grace_period"),
        ({"personas": (Persona("ada", 0),)}, "persona_cooldown"),
        ({"sender_persona": "ada"}, "self_reply"),
        ({"active_threads_elsewhere": 5}, "too_many_active_threads"),
        ({"personas": (ADA,), "last_persona": "ada"}, "last_persona"),
        ({"personas": ()}, "no_eligible_persona"),
        (
            {"personas": (Persona("ada", 30_000), Persona("ben", 0)), "last_persona": "ada"},
            "no_eligible_persona",
        ),
    ],
)
def test_every_skip_code_has_its_cause_and_names_nobody(changes, code):
    decision = decide(context(**changes), POLICY)
    assert (decision.action, decision.code) == (Outcome.SKIP, code)
    assert (decision.eligible, decision.persona, decision.delay_ms) == ((), None, None)


def test_sender_last_persona_and_resting_personas_are_not_eligible():
    busy = context(
        turns=3,
        last_message_age_ms=5_000,
        sender_persona="ada",
        last_persona="ben",
        personas=(ADA, BEN, CLEO, Persona("dan", 10_000)),
    )
    assert decide(busy, POLICY).eligible == ("cleo",)


def test_two_personas_cannot_play_ping_pong():
    after_ada_ben_ada = context(
        turns=4, last_message_age_ms=9_000, personas=(ADA, BEN), sender_persona="ada", last_persona="ben"
    )
    assert decide(after_ada_ben_ada, POLICY).action is Outcome.SKIP


def test_a_guard_that_raises_refuses_and_the_others_still_answer(monkeypatch):
    def explode(*_: object) -> None:
        raise ZeroDivisionError

    broken = SimpleNamespace(NAME="broken", check=explode)
    monkeypatch.setattr(chain, "GUARDS", (broken, *chain.GUARDS))
    for decision in (decide(context(), POLICY), check_posting(context(), "ada", POLICY)):
        assert decision.action == "skip"
        assert decision.code == "guard_error"
        assert decision.verdicts[0].figures == {"error": "ZeroDivisionError"}
        assert len(decision.verdicts) == 8


def test_every_guard_has_the_same_shape():
    for guard in chain.GUARDS:
        assert isinstance(guard, ModuleType)
        assert isinstance(guard.NAME, str)
        assert callable(guard.check)


texts = st.text(alphabet=st.characters(codec="utf-8"))


@given(texts, texts, st.sets(st.text(alphabet="abcdef", min_size=1), min_size=1, max_size=6))
def test_choice_and_delay_depend_only_on_thread_and_event(thread, event_id, handles):
    personas = tuple(Persona(handle) for handle in handles)
    one = decide(context(thread=thread, event_id=event_id, personas=personas), POLICY)
    other = decide(context(thread=thread, event_id=event_id, personas=personas[::-1]), POLICY)
    assert (one.persona, one.delay_ms) == (other.persona, other.delay_ms)
    assert 2_000 <= one.delay_ms <= 8_000


def test_different_events_reach_every_persona_and_many_delays():
    draws = [draw("thread", f"Ev{n}", ("ada", "ben", "cleo"), POLICY) for n in range(300)]
    assert {persona for persona, _ in draws} == {"ada", "ben", "cleo"}
    assert len({delay for _, delay in draws}) > 250


def test_thread_and_event_are_not_confused_with_each_other():
    assert draw("ab", "c", ("ada",), POLICY) != draw("a", "bc", ("ada",), POLICY)


def test_both_ends_of_the_delay_can_be_drawn():
    narrow = ThreadPolicy(min_delay_seconds=2, max_delay_seconds=2.001)
    assert {draw("t", f"Ev{n}", ("ada",), narrow)[1] for n in range(50)} == {2_000, 2_001}


def test_equal_delays_leave_no_choice():
    assert draw("t", "e", ("ada",), ThreadPolicy(min_delay_seconds=3, max_delay_seconds=3)) == ("ada", 3_000)


def test_a_context_survives_its_json():
    rich = context(personas=(Persona("ada", 5), BEN), sender_persona="ada", last_message_age_ms=7)
    assert ThreadContext.from_json(rich.to_json()) == rich


class TestPosting:
    def test_a_decided_reply_is_posted_when_nothing_has_changed(self):
        assert check_posting(context(last_message_age_ms=9_000), "ada", POLICY).action is Action.ALLOW

    def test_it_waits_while_somebody_has_just_written(self):
        decision = check_posting(context(last_message_age_ms=3_000), "ada", POLICY)
        assert (decision.action, decision.code, decision.wait_ms) == (Action.DELAY, "grace_period", 1_000)

    def test_it_is_dropped_when_the_persona_posted_elsewhere_meanwhile(self):
        decision = check_posting(context(personas=(Persona("ada", 2_000), BEN)), "ada", POLICY)
        assert (decision.action, decision.code) == (Action.SKIP, "persona_cooldown")

    def test_it_is_dropped_when_the_persona_posted_here_meanwhile(self):
        assert check_posting(context(last_persona="ada"), "ada", POLICY).code == "last_persona"

    def test_it_is_dropped_when_the_thread_filled_up_meanwhile(self):
        decision = check_posting(context(turns=8), "ada", POLICY)
        assert (decision.code, decision.reason) == ("max_turns", "Thread reached max turns")

    def test_a_full_thread_drops_the_reply_rather_than_postponing_it(self):
        filled = context(turns=8, last_message_age_ms=0)
        assert check_posting(filled, "ada", POLICY).action is Action.SKIP

    def test_a_persona_deleted_meanwhile_posts_nothing(self):
        assert check_posting(context(), "zoe", POLICY).code == "no_eligible_persona"
