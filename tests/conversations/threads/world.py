"""A small world of threads: three personas, people who write, and a conductor that is run by hand."""

import json
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from conversations.models import Event, PersonaThread, ScheduledReply
from conversations.selectors.events import as_recorded
from conversations.services.conductor import post_due_replies
from conversations.services.personas import create_persona
from tests.cast import JSON, Actor, Clock, accepted

PERSONAS = ("ada", "ben", "cleo")


def make_personas(*handles: str, **settings: Any) -> None:
    for handle in handles:
        create_persona(handle=handle, name=handle.title(), **settings)


@dataclass
class World:
    router: Actor
    editor: Actor
    clock: Clock
    ids: Any = field(default_factory=count)

    def say(self, key: str = "t", sender: str = "visitor", **told: Any) -> dict[str, Any]:
        """One message, with an event id of its own unless given; the contract's answer."""
        body = {"event_id": f"e{next(self.ids)}", "sender": sender, "text": "hello", **told}
        return accepted(self.router.post(f"/threads/{key}/events", body))

    def policy(self, **threads: Any) -> None:
        body = json.dumps({"threads": threads})
        accepted(self.editor.call("PUT", "/guards/policy", data=body, content_type=JSON))

    def later(self, **by: float) -> None:
        """Time passes, and the conductor looks once."""
        self.clock.advance(**by)
        post_due_replies()


def events_of(key: str = "t") -> list[Any]:
    thread = PersonaThread.objects.get(key=key)
    events = Event.objects.filter(relationship=thread.relationship).select_related("payload").order_by("seq")
    return [as_recorded(event) for event in events]


def last_event(key: str = "t") -> Any:
    return events_of(key)[-1]


def types_of(key: str = "t") -> list[str]:
    return [event.type for event in events_of(key)]


def refusing(answer: dict[str, Any]) -> list[str]:
    """The guards that refused, whoever decided."""
    return [verdict["guard"] for verdict in answer["verdicts"] if not verdict["allowed"]]


def only_reply() -> ScheduledReply:
    return ScheduledReply.objects.get()
