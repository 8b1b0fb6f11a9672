"""The seed's cast: a router's client, and the bank and the customer it speaks for."""

from collections.abc import Iterator

import pytest
from lastword_client import LastwordClient

from tests.client.wire import Wire
from tests.live_server import LiveServer


@pytest.fixture
def router(server: LiveServer) -> Iterator[LastwordClient]:
    with LastwordClient(server.url, server.key("router")) as client:
        yield client


@pytest.fixture
def bank(router: LastwordClient) -> LastwordClient:
    return router.as_participant("bank")


@pytest.fixture
def customer(router: LastwordClient) -> LastwordClient:
    return router.as_participant("customer")


@pytest.fixture(params=["blocking", "waiting"])
def wire(request: pytest.FixtureRequest) -> Wire:
    """A scripted server, once for each client."""
    return Wire(request.param)
