"""Who watches, and who makes things happen."""

import pytest

from tests.conversations.sockets.watching import Api
from tests.live_server import LiveServer


@pytest.fixture
def router(server: LiveServer) -> Api:
    return Api(server, "router")


@pytest.fixture
def operator(server: LiveServer) -> Api:
    return Api(server, "operator")
