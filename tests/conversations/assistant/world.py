"""A shop with a catalogue, and a visitor who talks to its assistant through the API."""

import json
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from conversations.models import Dialogue, Relationship
from conversations.services import projections
from tests.cast import JSON, Actor, accepted
from tests.conversations.assistant.seed_schema import VALIDATOR

SHOES = [f"shoe-{number:02}" for number in range(12)]
DRESSES = ["dress-1", "dress-2"]
NOTHING_PENDING = {"action": None, "target_id": None, "created_at": None}


def stock(router: Actor) -> None:
    """Twelve shoes and two dresses."""
    products = [{"id": each, "name": f"Running shoes {each[-2:]}", "price": "49.90"} for each in SHOES]
    products += [{"id": each, "name": f"Summer dress {each[-1]}", "currency": "MAD"} for each in DRESSES]
    accepted(router.post("/catalog/products", products))


@dataclass
class Visitor:
    """One conversation; every answer's dialogue is checked against the seed's schema on the way."""

    router: Actor
    path: str
    numbers: Any = field(default_factory=count)
    cards_seen: list[str] = field(default_factory=list)

    def say(self, text: str = "", **given: Any) -> dict[str, Any]:
        body = {"message_id": f"m{next(self.numbers)}", "text": text, **given}
        answer = accepted(self.router.post(f"{self.path}/turns", body))
        VALIDATOR.validate(answer["dialogue"])
        assert answer["dialogue"] == self.dialogue(), "GET /dialogue says what the turn said"
        if answer["reply"] and not answer["duplicate"]:
            self.cards_seen += [card["id"] for card in answer["reply"]["cards"]]
        return answer

    def click(self, meaning: str, target_id: str | None = None) -> dict[str, Any]:
        target = {} if target_id is None else {"target_id": target_id}
        return self.say(meaning=meaning, **target)

    def dialogue(self) -> dict[str, Any]:
        document = accepted(self.router.get(f"{self.path}/dialogue"))
        VALIDATOR.validate(document)
        return document

    def events(self, *types: str) -> list[dict[str, Any]]:
        """The chain's events of these types, oldest first."""
        told = accepted(self.router.get(f"{self.path}/events", limit=200))["results"]
        return [event for event in told if event["type"] in types]

    def relationship(self) -> dict[str, Any]:
        return accepted(self.router.get(self.path))

    def stored(self) -> Dialogue:
        return Dialogue.objects.get(pk=self.path.rpartition("/")[2])

    def rewrite_state(self, document: dict[str, Any]) -> None:
        """Something outside the service corrupts the record."""
        Dialogue.objects.filter(pk=self.stored().pk).update(conversation_state=document)

    def assert_row_is_the_fold(self) -> None:
        """What is stored is what the events alone say."""
        relationship = Relationship.objects.get(pk=self.path.rpartition("/")[2])
        before = Dialogue.objects.filter(pk=relationship.pk).values().get()
        projections.rebuild(relationship)
        assert Dialogue.objects.filter(pk=relationship.pk).values().get() == before


def state(answer: dict[str, Any]) -> str:
    return answer["dialogue"]["state"]


def route(answer: dict[str, Any]) -> list[str]:
    """The states a turn went through, start included; empty if it stayed put."""
    hops = answer["transitions"]
    return [hops[0][0], *(target for _, target, _ in hops)] if hops else []


def card_ids(answer: dict[str, Any]) -> list[str]:
    return [card["id"] for card in answer["reply"]["cards"]]


def fired(answer: dict[str, Any]) -> set[str]:
    return {guard["name"] for guard in answer["guards"] if guard["fired"]}


def policy(editor: Actor, **dialogue: Any) -> None:
    """Changes numbers of the dialogue's policy."""
    body = json.dumps({"dialogue": dialogue})
    accepted(editor.call("PUT", "/guards/policy", data=body, content_type=JSON))
