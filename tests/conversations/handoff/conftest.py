"""Two operators and a conversation that waits for one of them."""

from dataclasses import dataclass
from typing import Any

import pytest

from conversations.services.api_keys import create_api_key
from tests.cast import Actor, Opens, accepted


@pytest.fixture
def colleague(db: None) -> Actor:
    """A second operator, whose name is `bert`."""
    record, key = create_api_key(name="bert", role="operator")
    return Actor(key, record=record)


@dataclass
class Waiting:
    """A handoff and the conversation it is about."""

    path: str
    conversation: str
    reader: Actor

    def now(self) -> dict[str, Any]:
        return accepted(self.reader.get(self.path))

    def owner(self) -> tuple[str, str | None]:
        owner = accepted(self.reader.get(self.conversation))["owner"]
        return owner["kind"], owner["operator"]

    def events(self) -> list[str]:
        return [event["type"] for event in accepted(self.reader.get(f"{self.conversation}/events"))["results"]]

    def claim(self, by: Actor) -> dict[str, Any]:
        return accepted(by.post(f"{self.path}/claim", {"version": self.now()["version"]}))


@pytest.fixture
def waiting(router: Actor, opened: Opens) -> Waiting:
    conversation = opened()
    made = accepted(router.post(f"{conversation}/handoff", {"reason": "wants a person"}), 201)
    return Waiting(f"/handoffs/{made['id']}", conversation, router)
