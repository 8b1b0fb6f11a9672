"""What an adapter relies on: echoes, the message map's personas, a choice of personas, and the counts on the screen."""

from typing import Any

import pytest

from conversations.models import PersonaThread
from conversations.selectors.thread_traffic import guard_activity
from conversations.services.erasure import erase_payloads
from conversations.services.threads import ThreadEvent, handle_thread_event, thread_for
from tests.conversations.threads.world import World, events_of, last_event, types_of
from tests.invariants import snapshot

pytestmark = pytest.mark.django_db


def heard(event_id: str, **told: Any) -> dict[str, Any]:
    told = {"key": "T:C:1", "sender": "U1", "text": "hi", **told}
    return handle_thread_event(ThreadEvent(event_id=event_id, **told), actor="channel:1", channel="slack").answer


def test_the_echo_of_our_own_post_gets_its_verdict_and_is_no_second_turn(world: World) -> None:
    heard("e1")
    world.later(seconds=8)
    active = PersonaThread.objects.get().last_active_at
    world.clock.advance(seconds=30)
    echo = heard("e2", own_identity=True, bot_id="B1", sender="B1")
    assert (echo["code"], echo["turns"]) == ("bot_message", 2)
    thread = PersonaThread.objects.get()
    assert (thread.turns, thread.last_active_at) == (2, active)
    assert types_of("T:C:1")[-1] == "persona_skipped"


def test_the_echo_of_a_known_personas_post_is_that_personas_message(world: World) -> None:
    heard("e1")
    world.clock.advance(seconds=5)
    heard("e2", sender="U2")
    world.later(seconds=8)
    post = next(event for event in events_of("T:C:1") if event.type == "persona_replied")
    world.clock.advance(seconds=30)
    spoke = post.payload["persona"]
    echo = heard("e3", own_identity=True, bot_id="B1", sender="B1", persona=spoke, own_seq=post.seq)
    assert (echo["action"], echo["turns"]) == ("reply", 3), "two people and the post: the echo itself is no turn"
    assert spoke not in echo["eligible"]
    scheduled = last_event("T:C:1").payload
    assert (scheduled["answers_seq"], scheduled["context"]["turns"]) == (post.seq, 2)
    assert scheduled["context"]["last_persona"] is None, "the post itself does not count as the last before it"


def test_a_channels_sender_is_a_persona_only_by_the_message_map(world: World) -> None:
    assert heard("e1", sender="ada")["code"] is None
    assert last_event("T:C:1").payload["context"]["sender_persona"] is None
    world.clock.advance(seconds=30)
    assert heard("e2", sender="U9", persona="ada")["code"] == "self_reply"


def test_a_bot_profile_alone_marks_a_bot(world: World) -> None:
    assert heard("e1", has_bot_profile=True)["code"] == "bot_message"


def test_only_the_channels_own_personas_answer(world: World) -> None:
    assert heard("e1", among=["ben"])["eligible"] == ["ben"]
    world.clock.advance(seconds=30)
    assert heard("e2", among=[])["code"] == "no_eligible_persona"


def test_a_thread_can_be_had_before_its_first_message(world: World) -> None:
    thread = thread_for(key="T:C:1", sender="U1", actor="channel:1", channel="slack")
    assert heard("e1")["turns"] == 1
    assert PersonaThread.objects.get() == thread
    assert thread.relationship.channel == "slack"


def test_what_a_persona_says_carries_the_name_it_is_posted_under(world: World) -> None:
    answer = heard("e1", among=["ben"])
    world.later(seconds=answer["delay_seconds"])
    said = last_event("T:C:1").payload
    assert (said["persona"], said["name"]) == ("ben", "Ben")


def test_the_guards_screen_counts_each_guard_code_and_persona_by_day(world: World) -> None:
    reply = world.say("a")
    world.say("a", bot_id="B1")
    world.later(seconds=8)
    today = world.clock.now.date()
    world.clock.advance(days=1)
    world.say("b", bot_id="B1")
    world.say("b", bot_id="B1")
    rows = [tuple(row.values()) for row in guard_activity(since=today)]
    assert sorted(rows, key=str) == sorted(
        [
            (today, "persona_scheduled", "", "", reply["persona"], 1),
            (today, "persona_skipped", "bot_message_filter", "bot_message", "", 1),
            (today, "persona_replied", "", "", reply["persona"], 1),
            (world.clock.now.date(), "persona_skipped", "bot_message_filter", "bot_message", "", 2),
        ],
        key=str,
    )
    assert len(guard_activity(since=world.clock.now.date())) == 1


def test_words_are_erased_and_the_thread_still_stands(world: World) -> None:
    answer = world.say(text="my number is 0612345678")
    world.later(seconds=8)
    erase_payloads(relationship_id=answer["relationship"], seqs=None, basis="request", by="user:1", now=world.clock.now)
    thread = PersonaThread.objects.get()
    assert (thread.turns, thread.last_persona) == (2, answer["persona"])
    assert all("0612345678" not in str(event.payload) for event in events_of())
    world.clock.advance(seconds=30)
    before = snapshot()
    assert world.say()["turns"] == 3
    assert snapshot() != before


def test_every_post_has_an_allow_verdict_and_the_owner_it_was_decided_under(world: World) -> None:
    """I11 over everything that happened in a busy thread."""
    for _ in range(4):
        world.say()
        world.later(seconds=8)
        world.later(seconds=30)
    chain = events_of()
    scheduled = {event.payload["reply_id"]: event for event in chain if event.type == "persona_scheduled"}
    posted = [event for event in chain if event.type == "persona_replied"]
    assert posted
    for event in posted:
        assert all(verdict["allowed"] for verdict in event.payload["verdicts"])
        assert event.payload["owner_version"] == scheduled[event.payload["reply_id"]].payload["owner_version"]
