"""Personas in Slack threads: heard, guarded, posted under their names, and known again."""

from collections.abc import Callable
from typing import Any

import pytest

from conversations.models import Channel, ChannelConversation, Delivery, OwnMessage, Relationship
from conversations.services import conductor, deliveries, relay, remote_calls
from conversations.services.channels import ChannelTerms, create_channel
from conversations.services.personas import create_persona
from tests.cast import Clock
from tests.conversations.channels import slack_world as world
from tests.conversations.channels.conftest import chain_types
from tests.conversations.channels.remote_server import Remote, Scripted

pytestmark = pytest.mark.django_db
ROOT = "1700000000.000100"


@pytest.fixture
def workspace(db: None, slack: Remote, private_addresses_allowed: None) -> Channel:
    for handle, name in (("ada", "Ada L."), ("bob", "Bob B."), ("cyd", "Cyd C.")):
        create_persona(handle=handle, name=name)
    terms = ChannelTerms(kind="slack", name="Team", secret=world.SECRET, base_url=slack.url, token="xoxb")
    return create_channel(terms=terms)


Hears = Callable[..., Delivery]


@pytest.fixture
def hears(workspace: Channel, clock: Clock) -> Hears:
    """Delivers an event, works it, and lets time pass until whoever is to answer has."""

    def hear(event: dict[str, Any], event_id: str | None = None, *, wait: float = 30) -> Delivery:
        answer = world.deliver(workspace.webhook_path, world.envelope(event, event_id))
        assert answer.status_code == 200, answer.content
        deliveries.work_due()
        clock.advance(seconds=wait)
        conductor.post_due_replies()
        relay.relay()
        return Delivery.objects.get(pk=answer.json()["delivery"])

    return hear


def echo_of(post: dict[str, Any], ts: str, **shape: Any) -> dict[str, Any]:
    """Our own post as Slack tells us of it: one bot, whichever persona spoke."""
    said = {"user": "UBOT", "bot_id": "B1", "app_id": "A1", "thread_ts": post["thread_ts"], **shape}
    return world.message(post["text"], ts=ts, **said)


def test_a_persona_answers_in_the_thread_under_its_name(hears: Hears, slack: Remote) -> None:
    delivery = hears(world.message("Hello", ts=ROOT))
    assert delivery.verdict == "reply_scheduled"
    (call,) = slack.calls
    assert (call.path, call.headers["Authorization"]) == ("/chat.postMessage", "Bearer xoxb")
    assert (call.json["channel"], call.json["thread_ts"]) == ("C1", ROOT)
    assert call.json["username"] in {"Ada L.", "Bob B.", "Cyd C."}
    own = OwnMessage.objects.get()
    assert own.external_id == "C1:1800000000.000001"
    assert own.persona in {"ada", "bob", "cyd"}


def test_a_reply_belongs_to_its_thread_and_another_root_to_another(hears: Hears) -> None:
    hears(world.message("Hello", ts=ROOT))
    hears(world.message("More", ts="1700000000.000200", thread_ts=ROOT))
    hears(world.message("Other", ts="1700000000.000300"))
    assert set(ChannelConversation.objects.values_list("external_id", flat=True)) == {
        f"T1:C1:{ROOT}",
        "T1:C1:1700000000.000300",
    }


@pytest.mark.parametrize("subtype", ["message_changed", "message_deleted", "thread_broadcast", "channel_join"])
def test_wrapped_messages_are_never_answered(hears: Hears, slack: Remote, subtype: str) -> None:
    delivery = hears(world.message("Hello", subtype=subtype, message={"text": "Hello"}))
    assert (delivery.verdict, delivery.reason) == ("ignored", subtype)
    assert not slack.calls
    assert not Relationship.objects.exists()


@pytest.mark.parametrize(
    "shape",
    [
        {"subtype": "bot_message", "user": None, "bot_id": "B9"},
        {"bot_id": "B9"},
        {"bot_profile": {"id": "B9", "name": "Other"}},
    ],
)
def test_both_shapes_of_bots_are_left_alone(hears: Hears, slack: Remote, shape: dict[str, Any]) -> None:
    delivery = hears(world.message("I am a bot", **shape))
    assert (delivery.verdict, delivery.reason) == ("skipped", "bot_message")
    assert not slack.calls


def test_other_events_are_left_alone(hears: Hears) -> None:
    delivery = hears({"type": "reaction_added", "user": "U1"})
    assert (delivery.verdict, delivery.reason) == ("ignored", "event_reaction_added")


def test_our_own_post_coming_back_is_known_and_is_no_turn(hears: Hears, slack: Remote) -> None:
    hears(world.message("Hello", ts=ROOT))
    delivery = hears(echo_of(slack.messages()[0], "1800000000.000001"))
    assert delivery.reason == "self_reply", "known as a persona's, in a thread too young to answer it"
    assert len(slack.calls) == 1
    assert chain_types(Relationship.objects.get()).count("thread_message") == 1


def test_an_echo_that_overtakes_the_answer_is_known_by_its_words(
    hears: Hears, slack: Remote, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote_calls, "TIMEOUT_SECONDS", 0.3)
    slack.script = [Scripted(delay=5)]
    hears(world.message("Hello", ts=ROOT))
    hears(echo_of(slack.messages()[0], "1800000000.000001"), wait=60)
    assert len(slack.calls) == 1, "said once is enough"
    assert OwnMessage.objects.get().persona in {"ada", "bob", "cyd"}


def test_people_who_keep_a_thread_alive_meet_the_turn_limit(hears: Hears, slack: Remote) -> None:
    last = None
    for turn in range(12):
        last = hears(world.message(f"message {turn}", ts=f"1700000000.0002{turn:02d}", thread_ts=ROOT))
    assert last is not None
    assert last.reason == "max_turns"
    assert len(slack.calls) <= 8


def test_slack_says_no_in_a_friendly_status(hears: Hears, slack: Remote, clock: Clock) -> None:
    slack.script = [
        Scripted(body={"ok": False, "error": "ratelimited"}, headers={"Retry-After": "20"}),
        Scripted(body={"ok": False, "error": "internal_error"}),
        Scripted(body={"ok": False, "error": "channel_not_found"}),
    ]
    hears(world.message("Hello", ts=ROOT))
    for _ in range(4):
        clock.advance(seconds=60)
        relay.relay()
    assert len(slack.calls) == 3, "the last one is final"


def test_only_the_channels_own_personas_answer(hears: Hears, slack: Remote, workspace: Channel) -> None:
    Channel.objects.update(personas=["cyd"])
    hears(world.message("Hello", ts=ROOT))
    assert slack.messages()[0]["username"] == "Cyd C."
