"""Subscribers are told, signed, again where it failed, and can be told once more."""

import hashlib
import hmac
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from conversations.models import Event, OutboxMessage, WebhookSubscription
from conversations.services import relay
from conversations.services.probes import probe_subscription
from tests.cast import Actor, Opens, accepted, refused
from tests.conversations.channels.remote_server import Remote, Scripted

pytestmark = pytest.mark.django_db
SECRET = "a subscriber's secret"


def subscribed(router: Actor, receiver: Remote, *events: str) -> dict[str, Any]:
    body = {"url": f"{receiver.url}/hook", "events": list(events), "secret": SECRET}
    return accepted(router.post("/webhook-subscriptions", body), 201)


def test_an_event_is_told_with_a_signature_over_time_and_body(router: Actor, receiver: Remote, opened: Opens) -> None:
    subscribed(router, receiver, "*")
    path = opened()
    relay.relay()
    (call,) = receiver.calls
    signature = dict(part.split("=", 1) for part in call.headers["X-Lastword-Signature"].split(","))
    expected = hmac.new(SECRET.encode(), f"{signature['t']}.".encode() + call.raw, hashlib.sha256).hexdigest()
    assert signature["v1"] == expected
    assert (call.json["type"], call.json["event"]["seq"]) == ("fir_a_created", 1)
    assert path.endswith(call.json["relationship"])


@pytest.mark.parametrize(
    ("events", "told"),
    [
        (["intent"], ["intent"]),
        (["response_*"], ["response_accepted"]),
        (["fir_*", "intent"], ["fir_a_created", "intent"]),
        (["intent*"], ["intent"]),
        ([], ["fir_a_created", "intent", "response_accepted"]),
    ],
)
def test_only_what_was_asked_for_is_told(
    router: Actor, receiver: Remote, opened: Opens, events: list[str], told: list[str]
) -> None:
    subscribed(router, receiver, *events)
    path = opened()
    router.post(f"{path}/intents", {"sender": "bank", "intent": "offer"})
    router.post(f"{path}/responses", {"sender": "customer", "response": "accepted"})
    relay.relay()
    assert sorted(call.json["type"] for call in receiver.calls) == sorted(told)


def test_a_failure_is_tried_again_and_every_try_can_be_seen(router: Actor, receiver: Remote, opened: Opens) -> None:
    subscription = subscribed(router, receiver, "*")
    receiver.script = [Scripted(500)]
    opened()
    relay.relay()
    relay.relay(now=timezone.now() + timedelta(minutes=1))
    (notice,) = accepted(router.get(f"/webhook-subscriptions/{subscription['id']}/notices"))["results"]
    assert notice["state"] == "delivered"
    assert [tried["status"] for tried in notice["attempts"]] == [200, 500]
    assert len({call.json["id"] for call in receiver.calls}) == 1, "a repetition has the same id"


def test_a_notice_can_be_sent_once_more(router: Actor, receiver: Remote, opened: Opens) -> None:
    subscription = subscribed(router, receiver, "*")
    opened()
    relay.relay()
    (notice,) = accepted(router.get(f"/webhook-subscriptions/{subscription['id']}/notices"))["results"]
    path = f"/webhook-subscriptions/{subscription['id']}/notices/{notice['id']}/replay"
    assert accepted(router.post(path))["state"] == "waiting"
    relay.relay()
    assert len(receiver.calls) == 2
    refused(router.post(path.replace(f"/{notice['id']}/", "/999999/")), 404, "not_found")


def test_the_secret_is_stored_sealed_and_never_shown(router: Actor, receiver: Remote) -> None:
    answer = subscribed(router, receiver, "*")
    listed = router.get("/webhook-subscriptions").content.decode()
    assert SECRET not in str(answer) + listed + WebhookSubscription.objects.get().secret_sealed


def test_an_address_of_our_own_network_is_refused(router: Actor) -> None:
    for url in ("http://127.0.0.1/x", "http://2130706433/", "http://[::ffff:10.0.0.1]/", "ftp://example.org/"):
        body = {"url": url, "events": ["*"], "secret": SECRET}
        problem = refused(router.post("/webhook-subscriptions", body), 422, "invalid")
        assert problem["errors"][0]["field"] == "url"
    assert not WebhookSubscription.objects.exists()


def test_a_subscriber_elsewhere_does_not_hold_back_the_others(router: Actor, receiver: Remote, opened: Opens) -> None:
    subscribed(router, receiver, "*")
    subscribed(router, receiver, "*")
    receiver.script = [Scripted(503)]
    opened()
    relay.relay()
    assert sorted(OutboxMessage.objects.exclude(lane="x").values_list("last_error", flat=True)) == ["", "", "http_503"]


def test_a_switched_off_subscriber_hears_nothing(router: Actor, receiver: Remote, opened: Opens) -> None:
    subscribed(router, receiver, "*")
    WebhookSubscription.objects.update(enabled=False)
    opened()
    relay.relay()
    assert not receiver.calls


def test_who_may_subscribe(router: Actor, operator: Actor, auditor: Actor, editor: Actor, nobody: Actor) -> None:
    body = {"url": "https://example.org/hook", "events": ["*"], "secret": SECRET}
    for actor in (operator, auditor, editor):
        refused(actor.post("/webhook-subscriptions", body), 403, "forbidden")
    assert nobody.post("/webhook-subscriptions", body).status_code == 401
    assert auditor.get("/webhook-subscriptions").status_code == 200
    operator.record.user.is_superuser = True
    operator.record.user.save()
    assert operator.post("/webhook-subscriptions", body).status_code == 201


def test_the_test_button_sends_a_signed_ping(router: Actor, receiver: Remote) -> None:
    subscription = WebhookSubscription.objects.get(pk=subscribed(router, receiver, "*")["id"])
    receiver.script = [Scripted(), Scripted(503)]
    assert probe_subscription(subscription_id=subscription.pk).ok is True
    assert receiver.calls[0].json["type"] == "ping"
    assert "X-Lastword-Signature" in receiver.calls[0].headers
    assert probe_subscription(subscription_id=subscription.pk).figures == {"status": 503}


def test_an_event_that_cannot_be_passed_on_keeps_no_other_waiting(
    router: Actor, receiver: Remote, opened: Opens, monkeypatch: pytest.MonkeyPatch
) -> None:
    subscribed(router, receiver, "*")
    broken, whole = opened(), opened()
    pass_on = relay.onward

    def breaks(event: Event, *told: Any, **named: Any) -> list[OutboxMessage]:
        if broken.endswith(str(event.relationship_id)):
            raise KeyError("a shape nobody foresaw")
        return pass_on(event, *told, **named)

    with monkeypatch.context() as patched:
        patched.setattr(relay, "onward", breaks)
        relay.relay()
        assert [whole.endswith(call.json["relationship"]) for call in receiver.calls] == [True]
    relay.relay()
    assert len(receiver.calls) == 1, "it is put off like anything that fails"
    relay.relay(now=timezone.now() + timedelta(minutes=1))
    assert [broken.endswith(call.json["relationship"]) for call in receiver.calls] == [False, True]
