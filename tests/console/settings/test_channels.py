"""Channels made, tested and changed at the console, and the inspector of what they deliver."""

import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from conversations.models import Channel, Delivery, Event
from conversations.services import deliveries
from conversations.services.personas import create_persona
from conversations.services.sealing import unsealed
from tests.conversations.channels import chatwoot_world as world
from tests.conversations.channels.remote_server import Remote, Scripted

LIST, DELIVERIES = reverse("console:settings_channels"), reverse("console:settings_deliveries")


def at(name: str, subject: Any) -> str:
    return reverse(f"console:settings_{name}", args=[subject])


def terms(remote: Remote, **changed: str) -> dict[str, str]:
    told = {"kind": "chatwoot", "name": "Shop", "base_url": remote.url, "account_id": "1"}
    return {**told, "token": "the bot's token", "secret": world.SECRET, "driver": "assistant", **changed}


def test_a_channel_is_made_and_its_secrets_never_come_back(
    boss: Client, chatwoot: Remote, private_addresses_allowed: None
) -> None:
    answer = boss.post(LIST, terms(chatwoot))
    channel = Channel.objects.get()
    assert answer["Location"] == at("channel", channel.pk)
    assert (unsealed(channel.token_sealed), unsealed(channel.secret_sealed)) == ("the bot's token", world.SECRET)
    page = boss.get(at("channel", channel.pk)).content.decode()
    assert channel.webhook_path in page
    assert "the bot&#x27;s token" not in page
    assert world.SECRET not in page


def test_a_change_keeps_what_is_left_empty(boss: Client, channel: Channel, chatwoot: Remote) -> None:
    changed = terms(chatwoot, name="Other", token="", secret="", driver="", flow="contact", kind="slack")
    assert boss.post(at("channel", channel.pk), changed).status_code == 302
    channel.refresh_from_db()
    assert (channel.name, channel.kind, channel.flow) == ("Other", "chatwoot", "contact")
    assert unsealed(channel.secret_sealed) == world.SECRET
    boss.post(at("channel", channel.pk), {**changed, "secret": "another secret"})
    channel.refresh_from_db()
    assert unsealed(channel.secret_sealed) == "another secret"


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"account_id": ""}, "account_id"),
        ({"base_url": ""}, "base_url"),
        ({"base_url": "http://169.254.169.254/"}, "base_url"),
        ({"secret": "short"}, "secret"),
        ({"driver": "flow"}, "flow"),
        ({"driver": "", "flow": "unknown"}, "flow"),
        ({"name": ""}, "name"),
        ({"kind": "pigeon"}, "kind"),
    ],
)
def test_a_senseless_channel_is_refused_at_its_field(
    boss: Client, chatwoot: Remote, changed: dict[str, str], field: str
) -> None:
    answer = boss.post(LIST, terms(chatwoot, **{"base_url": "https://chat.example.org", **changed}))
    assert answer.status_code == 422
    assert f'id="id_{field}_error"' in answer.content.decode()
    assert not Channel.objects.exists()


def test_what_is_typed_for_the_other_kind_is_left_out(boss: Client, chatwoot: Remote) -> None:
    create_persona(handle="ada", name="Ada")
    told = terms(chatwoot, kind="slack", base_url="", account_id="no number", driver="", personas="ada")
    assert boss.post(LIST, told).status_code == 302
    slack = Channel.objects.get()
    assert (slack.kind, slack.account_id, slack.personas) == ("slack", None, ["ada"])
    page = boss.get(at("channel", slack.pk)).content.decode()
    assert [name for name in ("account_id", "driver", "flow") if f'name="{name}"' in page] == []
    assert 'name="personas"' in page


def test_a_channel_is_asked_for_what_its_kind_needs_and_keeps_what_it_is_not_asked_for(
    boss: Client, channel: Channel, chatwoot: Remote
) -> None:
    Channel.objects.update(personas=["ada"])
    fields = boss.get(at("channel", channel.pk)).context["form"].fields
    assert "personas" not in fields
    assert fields["base_url"].required
    assert fields["account_id"].required
    boss.post(at("channel", channel.pk), terms(chatwoot, token="", secret="", name="Other"))
    channel.refresh_from_db()
    assert (channel.name, channel.personas) == ("Other", ["ada"])


def test_the_test_button_says_whether_the_other_side_lets_us_in(
    boss: Client, channel: Channel, chatwoot: Remote
) -> None:
    chatwoot.script = [Scripted(status=404), Scripted(status=401)]
    events = Event.objects.count()
    button = at("channel_test", channel.pk)
    assert "Reached, and let in." in boss.post(button, follow=True).content.decode()
    assert "The other side refused with status 401." in boss.post(button, follow=True).content.decode()
    chatwoot.script = [Scripted(status=401)]
    boss.cookies["django_language"] = "nl"
    assert "De andere kant weigerde met status 401." in boss.post(button, follow=True).content.decode()
    assert Event.objects.count() == events
    assert all(call.path.endswith("/conversations/0/toggle_typing_status") for call in chatwoot.calls)


def test_a_channel_that_is_switched_off_is_unknown_to_webhooks(boss: Client, channel: Channel) -> None:
    boss.post(at("channel_switch", channel.pk), {"enabled": "0"})
    assert world.deliver(channel.webhook_path, world.message(1, "hi")).status_code == 404
    boss.post(at("channel_switch", channel.pk), {"enabled": "1"})
    assert world.deliver(channel.webhook_path, world.message(1, "hi")).status_code == 200


def test_the_inspector_shows_payload_signature_and_why(anna: Client, channel: Channel) -> None:
    world.deliver(channel.webhook_path, world.message(1, "<b>hello</b>", private=True))
    world.deliver(channel.webhook_path, world.message(2, "forged"), secret="not the secret")
    deliveries.work_due()
    page = anna.get(DELIVERIES).content.decode()
    assert 'a private note <code class="lw-faint">private_note</code>' in page
    assert 'its signature is wrong <code class="lw-faint">signature_wrong</code>' in page
    only = anna.get(DELIVERIES, {"status": "refused", "channel": str(channel.pk)}).context["page"]
    assert [row.status for row in only] == ["refused"]
    note = Delivery.objects.get(status="ignored")
    shown = anna.get(at("delivery", note.pk)).content.decode()
    assert "&lt;b&gt;hello&lt;/b&gt;" in shown
    assert "<b>hello" not in shown
    assert world.SECRET not in shown
    anna.cookies["django_language"] = "nl"
    assert "een privénotitie" in anna.get(at("delivery", note.pk)).content.decode()


def test_what_was_left_alone_can_be_replayed_and_what_had_its_effect_cannot(anna: Client, channel: Channel) -> None:
    world.deliver(channel.webhook_path, world.message(1, "secret note", private=True))
    world.deliver(channel.webhook_path, world.message(2, "hello"))
    deliveries.work_due()
    note, worked = Delivery.objects.get(status="ignored"), Delivery.objects.get(status="worked")
    assert anna.post(at("delivery_replay", note.pk)).status_code == 302
    note.refresh_from_db()
    assert (note.status, note.reason) == ("received", "replayed")
    refusal = anna.post(at("delivery_replay", worked.pk), follow=True).content.decode()
    assert "cannot be worked again" in refusal
    worked.refresh_from_db()
    assert worked.status == "worked"


@pytest.mark.parametrize(
    ("body", "shown"), [(b"\xff not json", "not json"), (b'{"half": "\\ud800 of it"}', "of it"), (b"[" * 5_000, "[[[")]
)
def test_a_payload_that_makes_no_sense_is_shown_all_the_same(
    anna: Client, channel: Channel, body: bytes, shown: str
) -> None:
    broken = Delivery.objects.create(
        channel=channel,
        received_at=channel.created_at,
        available_at=channel.created_at,
        body=body,
        signature="valid",
        status="unreadable",
    )
    assert shown in anna.get(at("delivery", broken.pk)).content.decode()


def test_who_may_do_what(viewer: Client, anna: Client, channel: Channel) -> None:
    world.deliver(channel.webhook_path, world.message(1, "hi"))
    delivery = Delivery.objects.get()
    assert viewer.get(LIST).status_code == viewer.get(at("channel", channel.pk)).status_code == 200
    assert viewer.get(DELIVERIES).status_code == viewer.get(at("delivery", delivery.pk)).status_code == 403
    assert viewer.post(at("delivery_replay", delivery.pk)).status_code == 403
    for address in (LIST, *(at(name, channel.pk) for name in ("channel", "channel_test", "channel_switch"))):
        assert anna.post(address, {"name": "x", "enabled": "0"}).status_code == 403
    channel.refresh_from_db()
    assert channel.enabled


def test_what_is_not_there_is_not_found(boss: Client) -> None:
    for name in ("channel", "delivery", "subscription"):
        assert boss.get(at(name, uuid.uuid4())).status_code == 404
    for name in ("channel_test", "channel_switch", "delivery_replay", "subscription_test", "subscription_switch"):
        assert boss.post(at(name, uuid.uuid4())).status_code == 404
