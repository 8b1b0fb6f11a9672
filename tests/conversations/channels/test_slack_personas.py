"""Personas of ours answer each other in Slack, and stop by themselves; the trail names the guard that spoke."""

import itertools
from typing import Any

import pytest

from conversations.models import Delivery, Event, PersonaThread, Relationship
from conversations.selectors.events import as_recorded
from conversations.services.personas import create_persona
from guards.services.policy import change_policy
from tests.cast import Clock
from tests.conversations.channels.remote_server import Remote
from tests.conversations.channels.slack_team import Team
from tests.invariants import assert_history_holds

pytestmark = pytest.mark.django_db
SLOWLY, QUICKLY = 30, 9


@pytest.fixture
def team(db: None, slack: Remote, private_addresses_allowed: None, clock: Clock) -> Team:
    for handle in ("ada", "bob", "cyd", "dot"):
        create_persona(handle=handle, name=handle.title())
    return Team(clock, slack)


def two_people_write(team: Team) -> str:
    """Personas answer a persona only in a thread that has two turns already."""
    root = team.says("Hello all")
    team.tell()
    team.clock.advance(seconds=5)
    team.says("And hello from me", user="U2", thread_ts=root)
    return root


def contents(type_: str) -> list[dict[str, Any]]:
    events = Event.objects.filter(type=type_).select_related("payload").order_by("relationship", "seq")
    return [as_recorded(event).content for event in events]


def speakers() -> list[str]:
    return [told["persona"] for told in contents("persona_replied")]


def test_three_personas_answer_each_other_until_the_thread_has_its_eight_turns(team: Team) -> None:
    team.install("one", ["ada", "bob", "cyd"])
    root = two_people_write(team)
    team.talks(seconds=SLOWLY)
    thread = PersonaThread.objects.get()
    spoke = speakers()
    assert set(spoke) == {"ada", "bob", "cyd"}, "A, B and C all had their say"
    answered = [told["context"]["sender_persona"] for told in contents("persona_scheduled")]
    assert [by for by in answered if by], "a persona's own post was answered"
    assert all(first != second for first, second in itertools.pairwise(spoke)), "nobody answers itself"
    assert thread.turns <= 9
    assert contents("persona_skipped")[-1]["code"] == "max_turns"
    assert {body["thread_ts"] for _token, body in team.said} == {root}
    assert_history_holds()


def test_three_personas_in_a_hurry_are_stopped_by_their_cooldown(team: Team) -> None:
    change_policy(partial={"threads": {"persona_min_turns": 1}}, author="tests")
    team.install("one", ["ada", "bob", "cyd"])
    team.says("Hello all")
    team.talks(seconds=QUICKLY)
    assert sorted(speakers()) == ["ada", "bob", "cyd"], "once each, A→B→C, and A rests"
    last = contents("persona_skipped")[-1]
    assert last["code"] == "persona_cooldown"
    assert last["context"]["sender_persona"] == speakers()[-1]


def test_a_persona_is_not_answered_by_another_in_a_thread_too_young(team: Team) -> None:
    team.install("one", ["ada", "bob", "cyd"])
    team.says("Hello all")
    team.talks(seconds=SLOWLY)
    assert len(speakers()) == 1
    assert [told["code"] for told in contents("persona_skipped")] == ["self_reply"]


def test_two_personas_cannot_play_ping_pong(team: Team) -> None:
    change_policy(partial={"threads": {"persona_cooldown_seconds": 0, "persona_min_turns": 1}}, author="tests")
    team.install("one", ["ada", "bob"])
    team.says("Hello all")
    team.talks(seconds=SLOWLY)
    assert len(speakers()) == 2
    assert contents("persona_skipped")[-1]["code"] == "no_eligible_persona"


def test_an_echo_is_no_turn_and_the_thread_is_what_its_events_say(team: Team) -> None:
    team.install("one", ["ada", "bob", "cyd"])
    two_people_write(team)
    team.talks(seconds=SLOWLY)
    said = Event.objects.filter(type__in=["thread_message", "persona_replied"])
    assert PersonaThread.objects.get().turns == said.count()
    assert Event.objects.filter(type="thread_message").count() == 2, "only the people's"
    assert Delivery.objects.filter(status="duplicate").count() == Delivery.objects.filter(status="worked").count()


def test_every_answer_to_a_persona_names_the_post_it_answers(team: Team) -> None:
    team.install("one", ["ada", "bob", "cyd"])
    two_people_write(team)
    team.talks(seconds=SLOWLY)
    posts = {event.seq: as_recorded(event).content["persona"] for event in Event.objects.filter(type="persona_replied")}
    to_personas = [told for told in contents("persona_scheduled") if told["context"]["sender_persona"]]
    assert to_personas
    for told in to_personas:
        assert posts[told["answers_seq"]] == told["context"]["sender_persona"] != told["persona"]


def test_two_apps_of_ours_in_one_channel_do_not_set_each_other_off(team: Team) -> None:
    team.install("one", ["ada", "bob"])
    team.install("two", ["cyd", "dot"])
    two_people_write(team)
    assert team.talks(seconds=SLOWLY) <= 2 * 8
    foreign = [told for told in contents("persona_skipped") if not told["context"]["own_identity"]]
    assert "bot_message" in {told["code"] for told in foreign}, "the other app's words are a bot's"
    assert Relationship.objects.count() == 2, "each app has its own view of the thread"
    assert_history_holds()


def as_people(_token: str, event: dict[str, Any]) -> dict[str, Any]:
    """An integration that posts with a user's token: no mark says that a bot wrote it."""
    bare = {name: value for name, value in event.items() if name not in ("bot_id", "app_id", "subtype", "username")}
    return {**bare, "user": "U-integration"}


@pytest.mark.parametrize("seconds", [SLOWLY, QUICKLY])
def test_two_apps_whose_posts_bear_no_mark_still_stop_within_the_limits(team: Team, seconds: float) -> None:
    team.told_as = as_people
    team.install("one", ["ada", "bob"])
    team.install("two", ["cyd", "dot"])
    two_people_write(team)
    team.talks(seconds=seconds)
    for thread in PersonaThread.objects.all():
        own = Event.objects.filter(relationship=thread.pk, type="persona_replied").count()
        assert own <= 8
    codes = {told["code"] for told in contents("persona_skipped")} | {
        told["code"] for told in contents("persona_dropped")
    }
    assert codes & {"max_turns", "persona_cooldown", "grace_period"}
    assert_history_holds()
