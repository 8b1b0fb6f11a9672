"""An administrator, and channels to look after."""

import pytest
from django.test import Client

from conversations.access import ConsoleRole
from tests.console.conftest import sign_in
from tests.conversations.channels.conftest import channel, chatwoot, flow, private_addresses_allowed, slack

__all__ = ["channel", "chatwoot", "flow", "private_addresses_allowed", "slack"]


@pytest.fixture
def boss(db: None) -> Client:
    return sign_in("boss", ConsoleRole.ADMIN)
