"""Channels and deliveries over the API."""

from typing import Any

import pytest

from conversations.models import Channel, Delivery
from conversations.services import deliveries
from tests.cast import Actor, accepted, refused
from tests.conversations.channels import chatwoot_world

pytestmark = pytest.mark.django_db
CHATWOOT = {
    "kind": "chatwoot",
    "name": "Web",
    "base_url": "https://chat.example.org",
    "account_id": 1,
    "token": "the bot's token",
    "secret": "the webhook's secret",
}


def test_a_channel_is_made_and_listed_without_its_secrets(router: Actor) -> None:
    made = accepted(router.post("/channels", CHATWOOT), 201)
    assert made["webhook_path"] == f"/api/v1/webhooks/chatwoot/{made['id']}"
    listed = router.get("/channels")
    assert accepted(listed)["results"] == [made]
    channel = Channel.objects.get()
    stored = f"{made} {listed.content!r} {channel.token_sealed} {channel.secret_sealed}"
    assert CHATWOOT["token"] not in stored
    assert CHATWOOT["secret"] not in stored


def test_a_secret_is_as_long_as_the_other_side_made_it(router: Actor) -> None:
    accepted(router.post("/channels", CHATWOOT | {"secret": "shh"}), 201)
    accepted(router.post("/webhook-subscriptions", {"url": "https://example.org/", "secret": "shh"}), 201)
    refused(router.post("/channels", CHATWOOT | {"secret": ""}), 422, "invalid")


def test_a_slack_channel_needs_no_account(router: Actor) -> None:
    body = {"kind": "slack", "name": "Team", "secret": "signing secret", "token": "xoxb", "personas": ["ada", "bob"]}
    assert accepted(router.post("/channels", body), 201)["personas"] == ["ada", "bob"]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"kind": "telegram"}, "kind"),
        ({"name": ""}, "name"),
        ({"secret": None}, "secret"),
        ({"base_url": "http://127.1/"}, "base_url"),
        ({"base_url": ""}, "base_url"),
        ({"account_id": None}, "account_id"),
        ({"account_id": "1"}, "account_id"),
        ({"driver": "relay"}, "driver"),
        ({"driver": "flow"}, "flow"),
        ({"colour": "red"}, "colour"),
    ],
)
def test_a_senseless_channel_is_refused(router: Actor, changes: dict[str, Any], field: str) -> None:
    problem = refused(router.post("/channels", CHATWOOT | changes), 422, "invalid")
    assert problem["errors"][0]["field"].startswith(field)
    assert not Channel.objects.exists()


def test_who_may_set_up_channels(router: Actor, operator: Actor, auditor: Actor, editor: Actor) -> None:
    for actor in (operator, auditor, editor):
        refused(actor.post("/channels", CHATWOOT), 403, "forbidden")
    refused(operator.get("/channels"), 403, "forbidden")
    assert auditor.get("/channels").status_code == 200
    operator.record.user.is_superuser = True
    operator.record.user.save()
    assert operator.post("/channels", CHATWOOT).status_code == 201


def test_deliveries_are_listed_with_verdict_and_reason(inbox: Channel, auditor: Actor) -> None:
    chatwoot_world.deliver(inbox.webhook_path, chatwoot_world.message(1, "secret note", private=True))
    chatwoot_world.deliver(inbox.webhook_path, chatwoot_world.message(2, "x"), secret="guessed")
    deliveries.work_due()
    refused_one, note = accepted(auditor.get("/deliveries", channel=str(inbox.pk)))["results"]
    assert (note["verdict"], note["reason"], note["event"], note["signature"]) == (
        "ignored",
        "private_note",
        "message_created",
        "valid",
    )
    assert (refused_one["verdict"], refused_one["signature"]) == ("refused", "wrong")
    assert accepted(auditor.get("/deliveries", channel="00000000-0000-0000-0000-000000000000"))["results"] == []
    refused(auditor.get("/deliveries", channel="nonsense"), 422, "invalid")


def test_a_failed_delivery_can_be_replayed(inbox: Channel, router: Actor, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> None:
        raise RuntimeError("a fault of ours")

    chatwoot_world.deliver(inbox.webhook_path, chatwoot_world.message(1, "note", private=True))
    with monkeypatch.context() as patched:
        patched.setattr(deliveries, "act_on", broken)
        patched.setattr(deliveries, "MAX_ATTEMPTS", 1)
        deliveries.work_due()
    failed = Delivery.objects.get()
    assert (failed.status, failed.reason) == ("failed", "RuntimeError")
    assert accepted(router.post(f"/deliveries/{failed.pk}/replay"))["verdict"] == "received"
    deliveries.work_due()
    failed.refresh_from_db()
    assert (failed.status, failed.reason) == ("ignored", "private_note")


def test_what_was_refused_or_had_its_effect_is_not_replayed(inbox: Channel, router: Actor, auditor: Actor) -> None:
    chatwoot_world.deliver(inbox.webhook_path, chatwoot_world.message(1, "x"), secret="guessed")
    path = f"/deliveries/{Delivery.objects.get().pk}/replay"
    refused(router.post(path), 409, "not_replayable")
    Delivery.objects.update(status="worked")
    refused(router.post(path), 409, "not_replayable")
    refused(auditor.post(path), 403, "forbidden")


def test_a_passing_fault_is_tried_again(inbox: Channel, clock: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> None:
        raise RuntimeError("a fault of ours")

    chatwoot_world.deliver(inbox.webhook_path, chatwoot_world.message(1, "note", private=True))
    with monkeypatch.context() as patched:
        patched.setattr(deliveries, "act_on", broken)
        deliveries.work_due()
    assert Delivery.objects.get().status == "received"
    deliveries.work_due()
    assert Delivery.objects.get().status == "received", "it waits first"
    clock.advance(seconds=2)
    deliveries.work_due()
    assert Delivery.objects.get().reason == "private_note"


def test_every_path_is_in_the_schema(router: Actor) -> None:
    paths = set(router.get("/schema").json()["paths"])
    assert {
        "/api/v1/channels",
        "/api/v1/deliveries",
        "/api/v1/webhooks/chatwoot/{inbox}",
        "/api/v1/webhooks/slack/{workspace}",
        "/api/v1/webhook-subscriptions",
    } <= paths
