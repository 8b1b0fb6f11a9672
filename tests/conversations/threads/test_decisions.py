"""What is decided about a message, through the API, at each limit's two sides."""

import pytest

from conversations.models import PersonaThread
from guards.chain import GUARDS
from guards.policies import turn_limit
from tests.cast import Actor, accepted, refused
from tests.conversations.threads.world import World, events_of, last_event, make_personas, refusing, types_of

pytestmark = pytest.mark.django_db


def test_a_first_message_is_answered_by_one_persona_after_two_to_eight_seconds(world: World) -> None:
    answer = world.say()
    assert answer["action"] == "reply"
    assert answer["code"] is None
    assert answer["eligible"] == ["ada", "ben", "cleo"]
    assert answer["persona"] in answer["eligible"]
    assert 2 <= answer["delay_seconds"] <= 8
    assert answer["turns"] == 1
    assert [verdict["guard"] for verdict in answer["verdicts"]] == [guard.NAME for guard in GUARDS]
    assert all(verdict["allowed"] for verdict in answer["verdicts"])


def test_the_message_and_its_verdicts_are_events_of_an_ordinary_conversation(world: World, router: Actor) -> None:
    answer = world.say("C1/170.1", sender="visitor", text="anybody there?", ts=170.1)
    assert types_of("C1/170.1") == ["fir_a_created", "thread_opened", "thread_message", "persona_scheduled"]
    shown = accepted(router.get(f"/relationships/{answer['relationship']}"))
    assert (shown["initiator"], shown["channel"], shown["driver"]) == ("visitor", "thread", "relay")
    assert shown["conversation_depth"] == 0
    said, decided = events_of("C1/170.1")[2:]
    assert said.payload["text"] == "anybody there?"
    assert said.payload["ts"] == "170.1"
    assert decided.payload["persona"] == answer["persona"]
    assert decided.payload["verdicts"] == answer["verdicts"]
    assert decided.payload["delay_ms"] == answer["delay_seconds"] * 1000


def test_choice_and_delay_come_from_thread_and_event_id_alone(world: World) -> None:
    first = world.say("same", event_id="e")
    again = world.say("same2", event_id="e")
    other_day = world.clock.advance(days=2)
    assert other_day
    PersonaThread.objects.filter(key="same").update(key="moved")
    repeated = world.say("same", event_id="e")
    assert (repeated["persona"], repeated["delay_seconds"]) == (first["persona"], first["delay_seconds"])
    assert (again["persona"], again["delay_seconds"]) != (first["persona"], first["delay_seconds"])


@pytest.mark.parametrize("marks", [{"subtype": "bot_message"}, {"bot_id": "B1"}])
def test_a_bots_message_is_recorded_and_not_answered(world: World, marks: dict[str, str]) -> None:
    answer = world.say(**marks)
    assert (answer["action"], answer["code"], answer["turns"]) == ("skip", "bot_message", 1)
    assert answer["persona"] is None
    assert answer["delay_seconds"] is None
    assert last_event().type == "persona_skipped"


def test_the_eighth_message_is_answered_and_the_ninth_is_not(world: World) -> None:
    world.policy(min_delay_seconds=1000, max_delay_seconds=1000)
    answers = []
    for _ in range(9):
        answers.append(world.say())
        world.clock.advance(seconds=4)
    assert [answer["code"] for answer in answers] == [None] * 8 + ["max_turns"]
    assert [answer["turns"] for answer in answers] == list(range(1, 10))


def test_a_thread_is_too_recent_for_four_seconds(world: World) -> None:
    world.say()
    world.clock.advance(milliseconds=3999)
    assert world.say()["code"] == "grace_period"
    world.clock.advance(milliseconds=3999)
    assert world.say()["code"] == "grace_period", "a skipped message restarts the grace period"
    world.clock.advance(seconds=4)
    assert world.say()["code"] is None


def test_a_persona_rests_twenty_five_seconds_in_every_thread(world: World) -> None:
    world.policy(persona_min_turns=1)
    for persona in ("ada", "ben", "cleo"):
        world.say("elsewhere", sender=persona)
    world.clock.advance(milliseconds=24_999)
    resting = world.say()
    assert (resting["code"], refusing(resting)) == ("persona_cooldown", ["persona_cooldown"])
    world.clock.advance(milliseconds=1)
    assert world.say("another")["eligible"] == ["ada", "ben", "cleo"]


def test_a_changed_policy_applies_at_once_to_running_cooldowns(world: World) -> None:
    for persona in ("ada", "ben", "cleo"):
        world.say("elsewhere", sender=persona)
    world.clock.advance(seconds=10)
    assert world.say("a")["code"] == "persona_cooldown"
    world.policy(persona_cooldown_seconds=9.5)
    assert world.say("b")["action"] == "reply"
    world.policy(persona_cooldown_seconds=3600)
    world.clock.advance(minutes=30)
    assert world.say("c")["code"] == "persona_cooldown"


def test_a_personas_message_is_answered_from_the_third_turn_on_and_not_by_itself(world: World) -> None:
    world.say()
    world.clock.advance(seconds=30)
    too_young = world.say(sender="ada")
    assert (too_young["code"], refusing(too_young)) == ("self_reply", ["self_reply"])
    world.clock.advance(seconds=30)
    answer = world.say(sender="ada")
    assert answer["action"] == "reply"
    assert answer["persona"] != "ada"
    assert "ada" not in answer["eligible"]


def test_the_last_persona_to_post_may_not_post_next(world: World) -> None:
    world.say(sender="ada")
    world.clock.advance(seconds=30)
    assert world.say()["eligible"] == ["ben", "cleo"]


def test_a_lone_persona_that_spoke_last_leaves_nobody(router: Actor, editor: Actor, clock) -> None:
    make_personas("ada")
    world = World(router, editor, clock)
    world.say(sender="ada")
    clock.advance(seconds=30)
    answer = world.say()
    assert (answer["code"], refusing(answer)) == ("last_persona", ["last_persona_exclusion"])


def test_guards_that_each_leave_somebody_may_leave_nobody_together(world: World) -> None:
    world.say(sender="ada")
    world.say("elsewhere", sender="ben")
    world.say("elsewhere", sender="cleo")
    world.clock.advance(seconds=20)
    answer = world.say()
    assert answer["code"] == "persona_cooldown"
    world.clock.advance(seconds=6)
    world.say("elsewhere", sender="ben")
    world.say("elsewhere", sender="cleo")
    world.clock.advance(seconds=4)
    answer = world.say()
    assert (answer["code"], refusing(answer), answer["eligible"]) == ("no_eligible_persona", [], [])


def test_without_personas_nobody_is_eligible(router: Actor, editor: Actor, clock) -> None:
    assert World(router, editor, clock).say()["code"] == "no_eligible_persona"


def test_a_sixth_thread_waits_until_one_of_five_has_been_quiet_for_ten_minutes(world: World) -> None:
    for number in range(5):
        assert world.say(f"t{number}")["action"] == "reply"
        world.clock.advance(seconds=1)
    for _ in range(2):
        refusal = world.say("sixth")
        assert (refusal["code"], refusing(refusal)[-1]) == ("too_many_active_threads", "concurrent_thread_limit")
        world.clock.advance(seconds=5)
    assert world.say("t0")["action"] == "reply", "an active thread does not count against itself"
    world.clock.advance(minutes=9, seconds=45, milliseconds=999)
    assert world.say("seventh")["code"] == "too_many_active_threads"
    world.clock.advance(milliseconds=1)
    assert world.say("eighth")["action"] == "reply", "t1 has been quiet for ten minutes"


def test_a_closed_thread_takes_no_room_and_no_more_messages(world: World) -> None:
    answers = [world.say(f"t{number}") for number in range(5)]
    path = f"/relationships/{answers[0]['relationship']}"
    accepted(world.router.post(f"{path}/close", {"closure_type": "completed"}))
    assert world.say("sixth")["action"] == "reply"
    problem = refused(
        world.router.post("/threads/t0/events", {"event_id": "late", "sender": "visitor"}), 409, "conversation_closed"
    )
    assert problem["closure_event"]["closure_type"] == "completed"


def test_a_thread_expires_like_any_conversation(world: World) -> None:
    world.say()
    world.clock.advance(hours=24, seconds=1)
    refused(world.router.post("/threads/t/events", {"event_id": "late", "sender": "v"}), 409, "conversation_expired")
    assert last_event().type == "conversation_closure"


def test_every_message_moves_the_expiry(world: World) -> None:
    world.say()
    world.clock.advance(hours=23)
    world.say()
    world.clock.advance(hours=23)
    assert world.say()["turns"] >= 3


def test_a_guard_that_raises_refuses(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(context: object, policy: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(turn_limit, "check", broken)
    answer = world.say()
    assert (answer["action"], answer["code"]) == ("skip", "guard_error")
    assert answer["verdicts"][1]["figures"] == {"error": "ZeroDivisionError"}


def test_while_a_person_has_the_thread_no_persona_answers(world: World, operator: Actor) -> None:
    answer = world.say()
    accepted(operator.post(f"/relationships/{answer['relationship']}/takeover", {}), 201)
    world.clock.advance(seconds=5)
    silent = world.say(text="are you still there?")
    assert (silent["action"], silent["code"], silent["persona"]) == ("skip", "owned_by_human", None)
    assert events_of()[-2].payload["text"] == "are you still there?"


@pytest.mark.parametrize(
    ("code", "line"),
    [
        ("max_turns", "[CONDUCTOR] Thread reached max turns"),
        ("grace_period", "[CONDUCTOR] Thread too recent (grace period)"),
        ("too_many_active_threads", "[CONDUCTOR] Too many active threads"),
    ],
)
def test_the_seeds_log_lines_name_the_guard_that_decided(
    world: World, caplog: pytest.LogCaptureFixture, code: str, line: str
) -> None:
    limits = {"max_turns": {"max_turns": 1}, "too_many_active_threads": {"max_active_threads": 1}}
    world.policy(**limits.get(code, {}))
    world.say()
    if code == "max_turns":
        world.clock.advance(seconds=10)
    answer = world.say("other" if code == "too_many_active_threads" else "t")
    assert answer["code"] == code
    assert line in caplog.text
