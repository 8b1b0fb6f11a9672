"""Only who knows the secret is heard; whoever is not, is written down."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st

from conversations.channels.signatures import Signature, chatwoot_signature, slack_signature
from conversations.models import Channel, Delivery
from tests.cast import Actor, Clock, refused
from tests.conversations.channels import chatwoot_world, slack_world

BODY = json.dumps(chatwoot_world.message(1, "Hello")).encode()


def path_of(channel: Channel) -> str:
    return channel.webhook_path.removeprefix("/api/v1")


def assert_refused_and_recorded(answer: object, signature: str) -> None:
    assert refused(answer, 401, "unauthorized")["signature"] == signature
    kept = Delivery.objects.get()
    assert (kept.status, kept.signature, kept.reason) == ("refused", signature, f"signature_{signature}")
    assert kept.dedupe_key is None


def test_a_signed_webhook_is_accepted_at_once(inbox: Channel) -> None:
    answer = chatwoot_world.deliver(inbox.webhook_path, chatwoot_world.message(1, "Hello"))
    assert (answer.status_code, answer.json()["duplicate"]) == (200, False)
    kept = Delivery.objects.get()
    assert (kept.status, kept.signature, bytes(kept.body)) == ("received", "valid", BODY)


def test_an_unsigned_one_is_refused_and_recorded(inbox: Channel) -> None:
    assert_refused_and_recorded(Actor().send(path_of(inbox), BODY), "missing")


@pytest.mark.parametrize("seconds", [-301, 301])
def test_a_stale_one_is_refused_and_recorded(inbox: Channel, clock: Clock, seconds: int) -> None:
    at = clock.now + timedelta(seconds=seconds)
    answer = chatwoot_world.deliver(inbox.webhook_path, chatwoot_world.message(1, "Hello"), at=at)
    assert_refused_and_recorded(answer, "stale")


@pytest.mark.parametrize("seconds", [-300, 300])
def test_the_window_is_inclusive(inbox: Channel, clock: Clock, seconds: int) -> None:
    at = clock.now + timedelta(seconds=seconds)
    payload = chatwoot_world.message(1, "Hello")
    assert chatwoot_world.deliver(inbox.webhook_path, payload, at=at).status_code == 200


def test_another_secret_is_refused(inbox: Channel) -> None:
    answer = chatwoot_world.deliver(inbox.webhook_path, chatwoot_world.message(1, "Hello"), secret="guessed")
    assert_refused_and_recorded(answer, "wrong")


def test_an_unknown_inbox_is_not_found(inbox: Channel, workspace: Channel) -> None:
    for path in ("/webhooks/chatwoot/nonsense", f"/webhooks/chatwoot/{workspace.pk}", f"/webhooks/slack/{inbox.pk}"):
        refused(Actor().send(path, BODY, **chatwoot_world.signed_headers(BODY)), 404, "not_found")
    assert not Delivery.objects.exists()


def test_a_channel_that_is_switched_off_is_unknown(inbox: Channel) -> None:
    Channel.objects.update(enabled=False)
    refused(Actor().send(path_of(inbox), BODY, **chatwoot_world.signed_headers(BODY)), 404, "not_found")


def test_an_older_server_shows_the_secret_in_the_path(inbox: Channel) -> None:
    secret = chatwoot_world.SECRET.replace(" ", "%20")
    assert Actor().send(f"{path_of(inbox)}/{secret}", BODY).status_code == 200
    assert Delivery.objects.get().signature == "path_secret"
    refused(Actor().send(f"{path_of(inbox)}/guessed", BODY), 401, "unauthorized")


def test_a_wrong_signature_is_not_helped_by_the_path(inbox: Channel) -> None:
    secret = chatwoot_world.SECRET.replace(" ", "%20")
    headers = chatwoot_world.signed_headers(BODY, secret="guessed")
    refused(Actor().send(f"{path_of(inbox)}/{secret}", BODY, **headers), 401, "unauthorized")


def test_a_refused_copy_does_not_block_the_real_one(inbox: Channel) -> None:
    chatwoot_world.deliver(inbox.webhook_path, chatwoot_world.message(1, "Hello"), secret="guessed")
    assert chatwoot_world.deliver(inbox.webhook_path, chatwoot_world.message(1, "Hello")).json()["duplicate"] is False


def test_slack_is_verified_likewise(workspace: Channel) -> None:
    event = slack_world.envelope(slack_world.message("Hello"))
    assert slack_world.deliver(workspace.webhook_path, event).status_code == 200
    assert slack_world.deliver(workspace.webhook_path, event, secret="guessed").status_code == 401
    late = timezone.now() - timedelta(seconds=302)
    assert slack_world.deliver(workspace.webhook_path, event, at=late).status_code == 401
    assert Actor().send(path_of(workspace), b"{}").status_code == 401


FLIP = st.tuples(st.sampled_from(["body", "signature", "timestamp"]), st.integers(0, 10_000), st.integers(0, 7))


@settings(max_examples=300, deadline=None)
@given(flip=FLIP)
@pytest.mark.parametrize("kind", ["chatwoot", "slack"])
def test_any_flipped_bit_spoils_the_signature(kind: str, flip: tuple[str, int, int]) -> None:
    where, position, bit = flip
    now = timezone.now()
    world, verify = (chatwoot_world, chatwoot_signature) if kind == "chatwoot" else (slack_world, slack_signature)
    headers = {name.replace("_", "-"): value for name, value in world.signed_headers(BODY, at=now).items()}
    assert verify(headers, BODY, secret=world.SECRET, now=now) is Signature.VALID
    if where == "body":
        body = bytearray(BODY)
        body[position % len(body)] ^= 1 << bit
        assert not verify(headers, bytes(body), secret=world.SECRET, now=now).accepted
        return
    name = next(name for name in headers if name.casefold().endswith(where))
    text = list(headers[name])
    text[position % len(text)] = chr(ord(text[position % len(text)]) ^ (1 << bit))
    assert not verify({**headers, name: "".join(text)}, BODY, secret=world.SECRET, now=now).accepted
