"""A Chatwoot inbox whose bot follows a small flow, and a Slack workspace."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pytest_django import Settings

from conversations.models import Channel, Delivery, Relationship
from conversations.services import deliveries, relay
from conversations.services.channels import ChannelTerms, create_channel
from flows.services.drafts import create_flow
from flows.services.publishing import publish
from tests.conversations.channels import chatwoot_world as world
from tests.conversations.channels.remote_server import Remote, chatwoot_answers, serving, slack_answers

FLOW = {
    "name": "Contact",
    "primaryGoal": {"type": "GATE", "gate": "CONTACT"},
    "gateDefinitions": {"CONTACT": {"satisfiedBy": {"metricsAll": ["contact_email"]}}},
    "facts": {"contact_email": {"type": "email"}},
    "nodes": [
        {
            "id": "ask-email",
            "title": "Email",
            "importance": "high",
            "produces": ["contact_email"],
            "satisfies": {"gates": ["CONTACT"]},
            "retryPolicy": {"maxAttempts": 2, "onExhaust": "HANDOFF", "promptVariantStrategy": "ROTATE"},
            "prompts": ["What is your email?", "I did not see an address in that. Your email?"],
        }
    ],
}


@pytest.fixture
def private_addresses_allowed(settings: Settings) -> None:
    settings.LASTWORD_ALLOW_PRIVATE_URLS = True


@pytest.fixture
def chatwoot() -> Iterator[Remote]:
    with serving(chatwoot_answers()) as remote:
        yield remote


@pytest.fixture
def slack() -> Iterator[Remote]:
    with serving(slack_answers()) as remote:
        yield remote


@pytest.fixture
def flow(db: None) -> str:
    create_flow(slug="contact", name="Contact", definition=FLOW, author="tests")
    publish(slug="contact", note="first", author="tests")
    return "contact"


@pytest.fixture
def channel(flow: str, chatwoot: Remote, private_addresses_allowed: None) -> Channel:
    terms = ChannelTerms(
        kind="chatwoot",
        name="Web",
        secret=world.SECRET,
        base_url=chatwoot.url,
        account_id=1,
        token="bot token",
        flow=flow,
    )
    return create_channel(terms=terms)


Hears = Callable[..., Delivery]


@pytest.fixture
def hears(channel: Channel) -> Hears:
    """Delivers a payload, works it, lets the outbox out; gives the delivery as it ended."""

    def hear(payload: Any) -> Delivery:
        answer = world.deliver(channel.webhook_path, payload)
        assert answer.status_code == 200, answer.content
        deliveries.work_due()
        relay.relay()
        return Delivery.objects.get(pk=answer.json()["delivery"])

    return hear


def chain_types(relationship: Relationship) -> list[str]:
    return list(relationship.events.order_by("seq").values_list("type", flat=True))
