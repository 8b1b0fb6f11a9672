"""What arrives is kept, once, whatever its shape, and answered at once."""

import json
from typing import Any

import pytest

from conversations.models import Channel, Delivery
from conversations.services import deliveries
from tests.cast import Actor, accepted, refused
from tests.conversations.channels import chatwoot_world, slack_world

pytestmark = pytest.mark.django_db


def test_the_same_message_again_is_kept_as_a_repetition(inbox: Channel) -> None:
    first = chatwoot_world.deliver(inbox.webhook_path, chatwoot_world.message(1, "Hello")).json()
    again = chatwoot_world.deliver(inbox.webhook_path, chatwoot_world.message(1, "Hello")).json()
    assert (first["duplicate"], again["duplicate"]) == (False, True)
    repeated = Delivery.objects.get(pk=again["delivery"])
    assert (repeated.verdict, str(repeated.duplicate_of_id)) == ("duplicate", first["delivery"])


def test_the_same_id_in_another_event_is_another_delivery(inbox: Channel) -> None:
    chatwoot_world.deliver(inbox.webhook_path, chatwoot_world.message(1, "Hello"))
    updated = chatwoot_world.message(1, "Hello", event="message_updated")
    assert chatwoot_world.deliver(inbox.webhook_path, updated).json()["duplicate"] is False


def test_slack_events_are_known_by_their_id(workspace: Channel) -> None:
    event = slack_world.envelope(slack_world.message("Hello"), "Ev7")
    retry = {"X_Slack_Retry_Num": "1", "X_Slack_Retry_Reason": "http_timeout"}
    assert slack_world.deliver(workspace.webhook_path, event).json()["duplicate"] is False
    assert slack_world.deliver(workspace.webhook_path, event, headers=retry).json()["duplicate"] is True


def test_a_retry_whose_first_try_never_arrived_is_worked(workspace: Channel) -> None:
    event = slack_world.envelope(slack_world.message("Hello"))
    answer = slack_world.deliver(workspace.webhook_path, event, headers={"X_Slack_Retry_Num": "2"})
    assert answer.json()["duplicate"] is False
    assert Delivery.objects.get().headers["X-Slack-Retry-Num"] == "2"


def test_slack_gets_its_challenge_back_once_verified(workspace: Channel) -> None:
    question = {"type": "url_verification", "challenge": "c-123", "token": "old"}
    assert slack_world.deliver(workspace.webhook_path, question).json() == {"challenge": "c-123"}
    assert slack_world.deliver(workspace.webhook_path, question, secret="guessed").status_code == 401


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"not json", "The body is not JSON"),
        (b"\xff\xfe", "The body is not UTF-8."),
        (b"[1, 2]", "the body is no object"),
        (b'{"event": "message_created"}', "id is no identifier"),
        (b'{"event": "something_new", "id": 1}', "unknown event 'something_new'"),
        (b'{"event": 7}', "event is no text"),
        (b'{"event": "x", "event": "y"}', "A key occurs twice in one object."),
        (b'{"event": "message_created", "id": 1, "content": "\\u0000"}', "A text contains a NUL character."),
        (b"[" * 40 + b"]" * 40, "JSON may nest 32 deep."),
    ],
)
def test_an_unknown_shape_is_kept_and_marked(inbox: Channel, raw: bytes, reason: str) -> None:
    path = inbox.webhook_path.removeprefix("/api/v1")
    accepted(Actor().send(path, raw, **chatwoot_world.signed_headers(raw)))
    kept = Delivery.objects.get()
    assert kept.status == "unreadable"
    assert kept.reason.startswith(reason)
    assert bytes(kept.body) == raw


@pytest.mark.parametrize(
    "changes",
    [
        {"conversation": None},
        {"conversation": {"id": 1}},
        {"conversation": {"id": [], "status": "pending"}},
        {"message_type": "shouted"},
        {"content": {"no": "text"}},
        {"event": "message_updated", "content_attributes": {"submitted_values": ["yes"]}},
        {
            "event": "message_updated",
            "content_type": "input_csat",
            "content_attributes": {"submitted_values": {"csat_survey_response": {"rating": 9}}},
        },
    ],
)
def test_a_shape_that_shows_itself_only_when_worked_is_marked_too(inbox: Channel, changes: dict[str, Any]) -> None:
    chatwoot_world.deliver(inbox.webhook_path, chatwoot_world.message(1, "Hello") | changes)
    deliveries.work_due()
    kept = Delivery.objects.get()
    assert (kept.status, bool(kept.reason)) == ("unreadable", True)


def test_a_body_over_the_limit_is_refused(inbox: Channel, settings: Any) -> None:
    body = json.dumps(chatwoot_world.message(1, "x" * settings.LASTWORD_BODY_LIMIT)).encode()
    path = inbox.webhook_path.removeprefix("/api/v1")
    refused(Actor().send(path, body, **chatwoot_world.signed_headers(body)), 413, "body_too_large")


def test_other_methods_are_not_allowed(inbox: Channel) -> None:
    assert Actor().get(inbox.webhook_path.removeprefix("/api/v1")).status_code == 405
