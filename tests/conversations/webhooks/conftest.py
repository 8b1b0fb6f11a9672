"""One channel of each kind, and a subscriber of our own: nothing is sent anywhere else."""

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from conversations.models import Channel
from conversations.services.channels import ChannelTerms, create_channel
from tests.conversations.channels import chatwoot_world, slack_world
from tests.conversations.channels.remote_server import Remote, serving


@pytest.fixture
def inbox(db: None) -> Channel:
    terms = ChannelTerms(
        kind="chatwoot", name="Web", secret=chatwoot_world.SECRET, base_url="https://chat.example.org", account_id=1
    )
    return create_channel(terms=terms)


@pytest.fixture
def workspace(db: None) -> Channel:
    return create_channel(terms=ChannelTerms(kind="slack", name="Team", secret=slack_world.SECRET, personas=("ada",)))


@pytest.fixture
def receiver(settings: Settings) -> Iterator[Remote]:
    settings.LASTWORD_ALLOW_PRIVATE_URLS = True
    with serving(lambda _call: {}) as remote:
        yield remote
