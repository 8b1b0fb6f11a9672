"""Calls to Chatwoot that go wrong: again, later, never, and never over a person's head."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from conversations.models import Channel, Delivery, OutboxMessage, OwnMessage, Relationship
from conversations.services import deliveries, relay, remote_calls
from conversations.services.channels import ChannelTerms, create_channel
from conversations.services.erasure import erase_payloads
from conversations.services.probes import probe_channel
from tests.cast import Actor, Clock
from tests.conversations.channels import chatwoot_world as world
from tests.conversations.channels.conftest import Hears, chain_types
from tests.conversations.channels.remote_server import Remote, Scripted, chatwoot_answers, serving

pytestmark = pytest.mark.django_db


def waiting() -> OutboxMessage:
    return OutboxMessage.objects.get(destination__startswith="channel:", delivered_at=None)


def test_a_failure_of_theirs_is_tried_again_with_growing_pauses(hears: Hears, chatwoot: Remote, clock: Clock) -> None:
    chatwoot.script = [Scripted(500), Scripted(502)]
    hears(world.message(1, "Hello"))
    assert waiting().last_error == "http_500"
    clock.advance(seconds=2)
    relay.relay()
    clock.advance(seconds=2)
    relay.relay()
    assert len(chatwoot.calls) == 2, "the second pause is longer"
    clock.advance(seconds=2)
    relay.relay()
    assert [said["content"] for said in chatwoot.messages()] == ["What is your email?"] * 3
    row = OutboxMessage.objects.get(destination__startswith="channel:")
    assert row.delivered_at is not None
    assert [tried.status for tried in row.tries.order_by("id")] == [500, 502, 200]


def test_asked_to_wait_we_wait_as_long_as_asked(hears: Hears, chatwoot: Remote, clock: Clock, channel: Channel) -> None:
    chatwoot.script = [Scripted(429, {"Retry-After": "30"})]
    hears(world.message(1, "Hello"))
    channel.refresh_from_db()
    assert channel.open_until == clock.now + timedelta(seconds=30)
    assert waiting().attempts == 0, "waiting is not failing"
    clock.advance(seconds=29)
    relay.relay()
    assert len(chatwoot.calls) == 1
    clock.advance(seconds=1)
    relay.relay()
    assert len(chatwoot.calls) == 2


def test_a_refusal_that_cannot_pass_is_final(hears: Hears, chatwoot: Remote) -> None:
    chatwoot.script = [Scripted(422)]
    hears(world.message(1, "Hello"))
    row = waiting()
    assert (row.last_error, row.abandoned_at is not None) == ("http_422", True)
    relay.relay(now=timezone.now() + timedelta(days=1))
    assert len(chatwoot.calls) == 1


def test_failures_under_way_when_the_breaker_opens_make_its_pause_no_longer(
    hears: Hears, chatwoot: Remote, clock: Clock, channel: Channel
) -> None:
    chatwoot.script = [Scripted(500)]
    hears(world.message(1, "Hello"))
    for _ in range(8):  # eight relays, each with a call that fails
        remote_calls.failed(channel)
    channel.refresh_from_db()
    assert (channel.failures, channel.open_until) == (5, clock.now + timedelta(seconds=30))


def test_five_failures_in_a_row_open_the_breaker_and_a_success_closes_it(
    hears: Hears, chatwoot: Remote, clock: Clock, channel: Channel
) -> None:
    chatwoot.script = [Scripted(500)] * 5
    hears(world.message(1, "Hello"))
    for _ in range(4):
        clock.advance(minutes=1)
        relay.relay()
    channel.refresh_from_db()
    assert (channel.failures, channel.open_until) == (5, clock.now + timedelta(seconds=30))
    hears(world.message(2, "Hello?", conversation=world.conversation(43)))
    assert len(chatwoot.calls) == 5, "an open breaker lets nobody through"
    clock.advance(minutes=2)
    relay.relay()
    channel.refresh_from_db()
    assert (channel.failures, channel.open_until) == (0, None)
    assert len(chatwoot.calls) == 7


def test_one_conversations_messages_go_out_in_order(hears: Hears, chatwoot: Remote, clock: Clock) -> None:
    chatwoot.script = [Scripted(500)]
    hears(world.message(1, "Hello"))
    hears(world.message(2, "what?"))
    assert len(chatwoot.calls) == 1, "the second waits for the first"
    clock.advance(seconds=5)
    relay.relay()
    said = [said["content"] for said in chatwoot.messages()]
    assert said == ["What is your email?", "What is your email?", "I did not see an address in that. Your email?"]


def test_an_echo_that_overtakes_a_lost_answer_settles_the_call(
    hears: Hears, chatwoot: Remote, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remote_calls, "TIMEOUT_SECONDS", 0.3)
    chatwoot.script = [Scripted(delay=5)]
    hears(world.message(1, "Hello"))
    assert waiting().last_error == "timeout"
    echo = world.message(9_000, "What is your email?", message_type="outgoing", sender=world.BOT)
    assert hears(echo).reason == "own_message"
    clock.advance(minutes=1)
    relay.relay()
    assert len(chatwoot.calls) == 1, "it was said: it is not said again"
    assert OwnMessage.objects.get().external_id == "9000"


def test_a_late_reply_is_kept_as_a_draft_once_a_person_has_it(
    hears: Hears, chatwoot: Remote, clock: Clock, operator: Actor
) -> None:
    chatwoot.script = [Scripted(500)]
    hears(world.message(1, "Hello"))
    operator.post(f"/relationships/{Relationship.objects.get().pk}/takeover", {"reason": "mine"})
    clock.advance(seconds=5)
    relay.relay()
    assert len(chatwoot.messages()) == 1
    relationship = Relationship.objects.get()
    assert chain_types(relationship)[-1] == "reply_withheld"
    withheld = relationship.events.get(type="reply_withheld")
    assert '"draft":"What is your email?"' in withheld.payload.text
    assert '"owned_by_human"' in withheld.payload.text


def test_a_reply_is_withheld_when_the_conversation_was_opened_over_there(
    hears: Hears, chatwoot: Remote, clock: Clock
) -> None:
    chatwoot.script = [Scripted(500)]
    hears(world.message(1, "Hello"))
    hears(world.status_changed("open"))
    clock.advance(seconds=5)
    relay.relay()
    assert len(chatwoot.calls) == 1
    assert OutboxMessage.objects.get(destination__startswith="channel:").last_error == "conversation_open"


def test_a_relay_that_dies_leaves_its_row_to_the_next_when_the_lease_is_over(
    hears: Hears, chatwoot: Remote, clock: Clock, channel: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.deliver(channel.webhook_path, world.message(1, "Hello"))
    deliveries.work_due()

    def killed(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setitem(relay.DELIVERERS, "channel", killed)
        with pytest.raises(KeyboardInterrupt):
            relay.relay()
    relay.relay()
    assert not chatwoot.calls, "the lease still runs"
    clock.advance(seconds=61)
    relay.relay()
    assert len(chatwoot.calls) == 1


def test_no_answer_passes_one_that_a_killed_relay_had_in_hand(
    hears: Hears, chatwoot: Remote, channel: Channel, monkeypatch: pytest.MonkeyPatch
) -> None:
    world.deliver(channel.webhook_path, world.message(1, "Hello"))
    deliveries.work_due()

    def killed(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(relay, "onward", killed)
        with pytest.raises(KeyboardInterrupt):
            relay.relay()
    hears(world.message(2, "I would rather not say"))
    said = [message["content"] for message in chatwoot.messages()]
    assert said == ["What is your email?", "I did not see an address in that. Your email?"]


def test_two_relays_never_send_one_row(hears: Hears, chatwoot: Remote, clock: Clock, channel: Channel) -> None:
    world.deliver(channel.webhook_path, world.message(1, "Hello"))
    deliveries.work_due()
    assert relay.tell_audience(now=clock.now) > 0
    mine = relay.take(now=clock.now)
    assert mine is not None
    assert relay.take(now=clock.now) is None
    assert relay.delivered(mine, now=clock.now) is True
    assert relay.delivered(mine, now=clock.now) is False, "who lost the row may not end it"


def test_what_fails_for_a_day_is_given_up(hears: Hears, chatwoot: Remote, clock: Clock) -> None:
    chatwoot.script = [Scripted(500), Scripted(500)]
    hears(world.message(1, "Hello"))
    clock.advance(hours=24, seconds=1)
    relay.relay()
    row = waiting()
    assert (row.abandoned_at, row.last_error) == (clock.now, "gave up: http_500")


def test_the_test_button_says_whether_we_are_let_in(channel: Channel, chatwoot: Remote) -> None:
    chatwoot.script = [Scripted(404), Scripted(401), Scripted(500)]
    assert probe_channel(channel_id=channel.pk).ok is True
    assert probe_channel(channel_id=channel.pk).ok is False
    refused = probe_channel(channel_id=channel.pk)
    assert (refused.code, refused.figures) == ("refused_with_status", {"status": 500})


def test_private_addresses_are_not_called_unless_allowed(hears: Hears, chatwoot: Remote, settings: Any) -> None:
    settings.LASTWORD_ALLOW_PRIVATE_URLS = False
    hears(world.message(1, "Hello"))
    assert (waiting().last_error, chatwoot.calls) == ("address_loopback", [])


def test_erased_words_are_gone_from_outbox_and_deliveries(hears: Hears, chatwoot: Remote, clock: Clock) -> None:
    chatwoot.script = [Scripted(500)]
    hears(world.message(1, "my name is Ada"))
    turn = Relationship.objects.get().events.get(type="turn_taken")
    erase_payloads(relationship_id=turn.relationship_id, seqs=[turn.seq], basis="asked", by="user:1", now=clock.now)
    clock.advance(minutes=1)
    relay.relay()
    assert len(chatwoot.calls) == 1
    assert bytes(Delivery.objects.get().body) == b""
    assert OutboxMessage.objects.get(destination__startswith="channel:").body == {}


def test_one_channels_open_breaker_keeps_nobody_off_another_channel(
    hears: Hears, chatwoot: Remote, channel: Channel, flow: str, clock: Clock
) -> None:
    with serving(chatwoot_answers()) as elsewhere:
        terms = ChannelTerms(
            kind="chatwoot", name="B", secret=world.SECRET, base_url=elsewhere.url, account_id=2, token="t", flow=flow
        )
        other = create_channel(terms=terms)
        Channel.objects.filter(pk=channel.pk).update(failures=5, open_until=clock.now + timedelta(minutes=5))
        world.deliver(other.webhook_path, world.message(1, "Hello"))
        hears(world.message(1, "Hello"))
        assert [call.path for call in elsewhere.calls] == ["/api/v1/accounts/2/conversations/42/messages"]
    assert not chatwoot.calls
    assert waiting().last_error == "breaker_open"
