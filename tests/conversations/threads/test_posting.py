"""A scheduled reply comes due: guards and owner are asked again, and it is posted once or not at all."""

import pytest

from conversations.models import Persona, PersonaThread
from conversations.services.conductor import carry_on, post_due_replies
from tests.cast import Actor, accepted
from tests.conversations.threads.world import World, events_of, last_event, make_personas, only_reply, types_of

pytestmark = pytest.mark.django_db


def test_a_reply_is_posted_when_its_delay_is_over_and_not_before(world: World) -> None:
    answer = world.say()
    world.later(seconds=answer["delay_seconds"] - 0.001)
    assert last_event().type == "persona_scheduled"
    world.later(milliseconds=1)
    posted = last_event()
    assert posted.type == "persona_replied"
    assert posted.payload["persona"] == answer["persona"]
    assert posted.payload["event_id"] == "e0"
    assert posted.payload["text"] == f"Thank you visitor, {answer['persona'].title()} has read this."
    assert all(verdict["allowed"] for verdict in posted.payload["verdicts"])
    assert only_reply().state == "posted"


def test_a_posted_reply_is_a_turn_and_starts_cooldown_grace_and_last_persona(world: World) -> None:
    answer = world.say()
    world.later(seconds=8)
    posted_at = last_event().at
    thread = PersonaThread.objects.get()
    assert (thread.turns, thread.last_persona, thread.last_message_at) == (2, answer["persona"], posted_at)
    assert Persona.objects.get(handle=answer["persona"]).last_posted_at == posted_at
    world.clock.advance(seconds=3)
    assert world.say()["code"] == "grace_period"
    world.clock.advance(seconds=4)
    following = world.say()
    assert following["turns"] == 4
    assert answer["persona"] not in following["eligible"]


def test_looking_again_posts_nothing_twice(world: World) -> None:
    world.say()
    world.later(seconds=8)
    world.later(seconds=60)
    carry_on(only_reply().pk)
    assert types_of().count("persona_replied") == 1


def test_a_message_in_between_postpones_the_reply_until_the_thread_was_quiet(world: World) -> None:
    world.policy(min_delay_seconds=5, max_delay_seconds=5)
    world.say()
    world.clock.advance(seconds=3)
    assert world.say()["code"] == "grace_period"
    world.later(seconds=2)
    assert last_event().type == "persona_postponed"
    assert last_event().payload["code"] == "grace_period"
    world.later(milliseconds=1999)
    assert types_of().count("persona_replied") == 0
    world.later(milliseconds=1)
    assert types_of().count("persona_replied") == 1


def test_a_ninth_message_before_posting_drops_the_reply_to_the_eighth(world: World) -> None:
    world.policy(max_turns=1, min_delay_seconds=5, max_delay_seconds=5)
    world.say()
    world.clock.advance(seconds=1)
    world.say()
    world.later(seconds=10)
    dropped = last_event()
    assert (dropped.type, dropped.payload["code"]) == ("persona_dropped", "max_turns")
    assert only_reply().state == "dropped"


def test_one_persona_chosen_in_two_threads_posts_in_one(world: World) -> None:
    Persona.objects.exclude(handle="ada").delete()
    world.say("a")
    world.say("b")
    world.later(seconds=8)
    outcomes = sorted(types_of(key)[-1] for key in "ab")
    assert outcomes == ["persona_dropped", "persona_replied"]
    loser = next(key for key in "ab" if types_of(key)[-1] == "persona_dropped")
    assert last_event(loser).payload["code"] == "persona_cooldown"


def test_a_policy_tightened_meanwhile_drops_the_reply(world: World) -> None:
    world.say("other", sender="ada")
    world.clock.advance(seconds=30)
    Persona.objects.exclude(handle="ada").delete()
    world.say()
    world.policy(persona_cooldown_seconds=600)
    world.later(seconds=8)
    assert last_event().payload["code"] == "persona_cooldown"


def test_a_reply_is_dropped_when_a_person_took_over(world: World, operator: Actor) -> None:
    answer = world.say()
    accepted(operator.post(f"/relationships/{answer['relationship']}/takeover", {}), 201)
    world.later(seconds=8)
    assert (last_event().type, last_event().payload["code"]) == ("persona_dropped", "owned_by_human")


def test_a_reply_from_before_a_takeover_stays_dropped_after_the_return(world: World, operator: Actor) -> None:
    answer = world.say()
    handoff = accepted(operator.post(f"/relationships/{answer['relationship']}/takeover", {}), 201)
    accepted(operator.post(f"/handoffs/{handoff['id']}/return", {}))
    world.later(seconds=8)
    assert (last_event().type, last_event().payload["code"]) == ("persona_dropped", "owner_changed")


def test_nobody_answers_in_a_conversation_that_was_closed(world: World) -> None:
    answer = world.say()
    accepted(world.router.post(f"/relationships/{answer['relationship']}/close", {"closure_type": "completed"}))
    world.later(seconds=8)
    assert last_event().type == "conversation_closure"
    assert only_reply().state == "dropped"


def test_a_reply_that_comes_due_after_expiry_ends_the_conversation_instead(world: World) -> None:
    world.say()
    world.later(hours=25)
    assert last_event().type == "conversation_closure"
    assert only_reply().state == "dropped"


def test_a_reply_found_long_after_is_posted(world: World) -> None:
    """A restart loses none, however long the machine was off."""
    world.say()
    world.later(hours=3)
    assert last_event().type == "persona_replied"


def test_a_persona_that_is_gone_says_nothing(world: World) -> None:
    world.say()
    Persona.objects.all().delete()
    world.later(seconds=8)
    assert (last_event().type, last_event().payload["code"]) == ("persona_dropped", "no_eligible_persona")


def test_a_template_that_comes_out_empty_is_dropped(router: Actor, editor: Actor, clock) -> None:
    make_personas("mute", responder={"kind": "template", "text": "{nothing}"})
    World(router, editor, clock).say()
    clock.advance(seconds=8)
    post_due_replies()
    assert (last_event().payload["code"], last_event().payload["reason"]) == ("responder_failed", "empty_answer")


def test_a_template_speaks_with_the_facts_of_the_message(router: Actor, editor: Actor, clock) -> None:
    make_personas("ada", responder={"kind": "template", "text": "{sender} said {text}? Says {persona}."})
    World(router, editor, clock).say(text="{persona}")
    clock.advance(seconds=8)
    post_due_replies()
    assert last_event().payload["text"] == "visitor said {persona}? Says Ada."


def test_one_broken_reply_does_not_keep_the_others_waiting(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    from conversations.services import conductor

    world.say("a")
    world.say("b")
    broken = PersonaThread.objects.get(key="a").replies.get().pk
    carried = conductor.carry_on

    def failing(reply_id: object) -> None:
        if reply_id == broken:
            raise RuntimeError
        carried(reply_id)

    monkeypatch.setattr(conductor, "carry_on", failing)
    world.later(seconds=8)
    assert types_of("b")[-1] == "persona_replied"
    monkeypatch.undo()


def test_three_personas_that_answer_each_other_stop_by_themselves(world: World) -> None:
    """A naive bridge feeds every reply back as a message: A, B, C, A, … until a guard ends it."""
    world.policy(persona_cooldown_seconds=0, grace_seconds=0, max_turns=12)
    world.say()
    world.clock.advance(seconds=1)
    answer = world.say()
    codes = []
    for _ in range(50):
        codes.append(answer["code"])
        if answer["action"] == "skip":
            break
        world.later(seconds=8)
        answer = world.say(sender=answer["persona"])
    assert codes[-1] == "max_turns"
    speakers = [event.payload["persona"] for event in events_of() if event.type == "persona_replied"]
    assert len(speakers) >= 4
    assert len(set(speakers)) == 3
    world.later(minutes=5)
    assert [event.type for event in events_of()][-1] == "persona_skipped", "and nothing is left to be posted"
