"""A Slack team on a local server: it tells every app of everything that is said, the app's own posts included.

All of an app's personas come back under its one bot id, in either of the two shapes Slack gives bots; every event is
told twice, in a shuffled order, as Slack's retries may.
"""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import pytest

from conversations.domain.threads import OPEN
from conversations.models import Channel, ScheduledReply
from conversations.services import conductor, deliveries, relay
from conversations.services.channels import ChannelTerms, create_channel
from tests.cast import Clock
from tests.conversations.channels import slack_world as world
from tests.conversations.channels.remote_server import Call, Remote

ENOUGH = 60


@dataclass
class Team:
    """Which apps there are, and what they have not been told yet."""

    clock: Clock
    remote: Remote
    # how a post is told to the app with this token: as a bot's, unless the test says otherwise
    told_as: Callable[[str, dict[str, Any]], dict[str, Any]] = lambda _token, event: event
    apps: dict[str, Channel] = field(default_factory=dict)
    said: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    untold: list[dict[str, Any]] = field(default_factory=list)
    moments: Any = field(default_factory=lambda: count(1))
    chance: random.Random = field(default_factory=lambda: random.Random(7))

    def __post_init__(self) -> None:
        self.remote.answer = self.posted

    def install(self, token: str, personas: list[str]) -> Channel:
        """One more app of ours in the same team."""
        terms = ChannelTerms(
            kind="slack",
            name=token,
            secret=world.SECRET,
            base_url=self.remote.url,
            token=token,
            personas=personas,
        )
        self.apps[token] = create_channel(terms=terms)
        return self.apps[token]

    def ts(self) -> str:
        return f"1800000000.{next(self.moments):06d}"

    def says(self, text: str, **event: Any) -> str:
        """A person writes; gives the moment, which is the thread's name where it begins one."""
        ts = self.ts()
        self.untold.append(world.message(text, ts=ts, **event))
        return ts

    def posted(self, call: Call) -> dict[str, Any]:
        """What `chat.postMessage` answers, and what everybody is told of it afterwards."""
        token, ts, body = call.headers["Authorization"].removeprefix("Bearer "), self.ts(), call.json
        self.said.append((token, body))
        marks: dict[str, Any] = {"bot_id": f"B-{token}", "app_id": "A1", "username": body["username"]}
        shape = {"subtype": "bot_message", "user": None} if len(self.said) % 2 else {"user": f"U-{token}"}
        event = world.message(body["text"], ts=ts, thread_ts=body["thread_ts"], **marks, **shape)
        self.untold.append(self.told_as(token, event))
        return {"ok": True, "channel": body["channel"], "ts": ts}

    def tell(self) -> None:
        """Everything new to every app, twice, in any order."""
        news, self.untold = self.untold, []
        told = [
            (channel, world.envelope(event, f"Ev-{token}-{event['ts']}"))
            for event in news
            for token, channel in self.apps.items()
            for _ in range(2)
        ]
        self.chance.shuffle(told)
        for channel, envelope in told:
            assert world.deliver(channel.webhook_path, envelope).status_code == 200
        deliveries.work_due()

    def talks(self, *, seconds: float) -> int:
        """Lets them talk, a step at a time, until nobody says anything more; the number of posts."""
        for _ in range(ENOUGH):
            self.tell()
            self.clock.advance(seconds=seconds)
            conductor.post_due_replies()
            relay.relay()
            if not self.untold and not ScheduledReply.objects.filter(state__in=OPEN).exists():
                return len(self.said)
        pytest.fail("they never stopped")
