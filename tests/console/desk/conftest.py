"""Two operators, a viewer and a visitor, each with their own browser or key, at one real server."""

import json
import uuid
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from playwright.sync_api import Browser, Locator, expect
from websockets.sync.client import ClientConnection, connect

from tests.chromium import PATIENCE
from tests.live_server import LiveServer
from tests.seats import Seat, sign_in

expect.set_options(timeout=PATIENCE)
PEOPLE = {"anna": ["operator"], "bert": ["operator"], "vera": ["viewer"], "root": ["admin"]}
STAGE = """
import json
from conversations.models import CannedReply
from flows.services.drafts import create_flow
from flows.services.publishing import publish
CannedReply.objects.create(shortcut="hello", text="Good day, how can I help?")
definition = json.loads(open("flows/examples/fitness_booking.json", encoding="utf-8").read())
create_flow(slug="fitness", name="Fitness", definition=definition, author="anna")
publish(slug="fitness", author="anna", note="")
"""
VISITOR = "jo"


@pytest.fixture(scope="session")
def sessions(server_process: LiveServer) -> dict[str, str]:
    server_process.manage("shell", "-v", "0", "-c", STAGE)
    return sign_in(server_process, PEOPLE)


class Visitor:
    """Somebody outside, who talks through the public API and listens on a socket of their own."""

    def __init__(self, server: LiveServer) -> None:
        self.server = server
        self.http = httpx.Client(base_url=f"{server.url}/api/v1", timeout=60)
        self.router = {"Authorization": f"Bearer {server.key('router')}"}
        self.own = {"Authorization": f"Bearer {server.key('participant', VISITOR)}"}

    def post(self, path: str, **body: Any) -> dict[str, Any]:
        answer = self.http.post(path, json=body, headers=self.router)
        assert answer.is_success, answer.text
        return dict(answer.json())

    def opens(self, **terms: Any) -> str:
        return str(self.post("/relationships", **{"initiator": "bank", "responder": VISITOR, **terms})["id"])

    def says(self, relationship: str, text: str, **more: Any) -> dict[str, Any]:
        return self.post(f"/relationships/{relationship}/turns", message_id=uuid.uuid4().hex, text=text, **more)

    def answers(self, relationship: str, text: str) -> None:
        self.post(f"/relationships/{relationship}/responses", sender=VISITOR, response="question", humotica=text)

    def asks_for_a_person(self, relationship: str, reason: str) -> str:
        return str(self.post(f"/relationships/{relationship}/handoff", reason=reason)["id"])

    def listens(self, relationship: str) -> ClientConnection:
        ticket = self.http.post("/ws-ticket", headers=self.own).json()["ticket"]
        address = f"{self.server.url.replace('http', 'ws')}/ws/relationships/{relationship}?ticket={ticket}"
        return connect(address, max_size=None)


def heard(socket: ClientConnection, *, about: str, within: float = 60) -> dict[str, Any]:
    """The next message in which these words are."""
    while True:
        text = str(socket.recv(timeout=within))
        if about in text:
            return dict(json.loads(text))


@pytest.fixture(scope="session")
def visitor(server_process: LiveServer) -> Visitor:
    return Visitor(server_process)


@pytest.fixture
def anna(chromium: Browser, server: LiveServer, sessions: dict[str, str]) -> Iterator[Seat]:
    seat = Seat(chromium, server, sessions["anna"])
    yield seat
    seat.leaves()


@pytest.fixture
def bert(chromium: Browser, server: LiveServer, sessions: dict[str, str]) -> Iterator[Seat]:
    seat = Seat(chromium, server, sessions["bert"])
    yield seat
    seat.leaves()


def waiting(seat: Seat, handoff: str) -> Locator:
    """An entry of the queue."""
    return seat.page.locator(f'[data-handoff="{handoff}"]')
