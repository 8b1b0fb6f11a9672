"""Who views a conversation and who writes in it: never stored, gone a few seconds after the last sign of life.

Everybody who is somewhere is announced through the hub, so that each process has the same table.
"""

import json
import time
from collections.abc import Callable, Iterable
from enum import StrEnum
from typing import Any, NamedTuple

from conversations.services.broadcast import publish, topics
from conversations.services.broadcast.hub import Hub, hub
from conversations.services.broadcast.items import Item
from conversations.services.broadcast.messages import encoded
from conversations.services.channel_typing import TypingSigns, typing_signs

KEEP_SECONDS = 10.0
ANNOUNCE_SECONDS = 4.0
WRITING_SECONDS = 6.0


class Activity(StrEnum):
    VIEWING = "viewing"
    WRITING = "writing"
    GONE = "gone"


class Side(StrEnum):
    OPERATOR = "operator"
    PARTICIPANT = "participant"


class Attendance(NamedTuple):
    """One person at one conversation."""

    relationship: str
    name: str
    side: str
    activity: str


def announce(attendances: Iterable[Attendance]) -> None:
    """Lets every process know."""
    publish(Item((topics.ATTENDANCE,), "attendance", 0, json.dumps(list(attendances))))


class Presence:
    """This process's table, and the sockets here that keep somebody on it. Belongs to the event loop."""

    def __init__(
        self, hub: Hub, clock: Callable[[], float] = time.monotonic, signs: TypingSigns = typing_signs
    ) -> None:
        self._hub, self._clock, self._signs = hub, clock, signs
        self._table: dict[str, dict[str, tuple[Attendance, float]]] = {}
        self._here: dict[object, tuple[Attendance, float]] = {}
        self._announced_at = 0.0

    def attend(self, socket: object, attendance: Attendance) -> None:
        """A socket's person views or writes; announced at once when that is news, else with the next round."""
        before = self._here.get(socket)
        self._here[socket] = (attendance, self._clock())
        if before is None or before[0] != attendance:
            if before is not None and before[0].relationship != attendance.relationship:
                self._gone(before[0])
            announce([attendance])
        self._sign(attendance)

    def leave(self, socket: object) -> None:
        left = self._here.pop(socket, None)
        if left is not None and not any(self._same_place(left[0], other) for other, _at in self._here.values()):
            self._gone(left[0])

    def _gone(self, attendance: Attendance) -> None:
        gone = attendance._replace(activity=Activity.GONE)
        announce([gone])
        self._sign(gone)

    def _sign(self, attendance: Attendance) -> None:
        """A channel's visitor has no socket of ours: the channel shows that the operator writes."""
        if attendance.side == Side.OPERATOR:
            writing = attendance.activity == Activity.WRITING
            self._signs.notice(attendance.relationship, attendance.name, writing=writing)

    async def tick(self) -> None:
        """Forgets who gave no sign of life, and gives one for who is still here."""
        now = self._clock()
        for socket, (attendance, at) in list(self._here.items()):
            if attendance.activity == Activity.WRITING and now - at > WRITING_SECONDS:
                self.attend(socket, attendance._replace(activity=Activity.VIEWING))
        if self._here and now - self._announced_at >= ANNOUNCE_SECONDS:
            self._announced_at = now
            announce({attendance for attendance, _at in self._here.values()})
        for relationship, people in list(self._table.items()):
            gone = [name for name, (_attendance, until) in people.items() if until <= now]
            for name in gone:
                del people[name]
            if gone:
                self._tell(relationship)

    def put(self, item: Item) -> None:
        """What some process announced, this one included."""
        until = self._clock() + KEEP_SECONDS
        for told in json.loads(item.text):
            attendance = Attendance(*told)
            people = self._table.setdefault(attendance.relationship, {})
            before = people.pop(attendance.name, None)
            if attendance.activity != Activity.GONE:
                people[attendance.name] = (attendance, until)
            if attendance != (before and before[0]):
                self._tell(attendance.relationship)

    def message_of(self, relationship: str) -> dict[str, Any]:
        """Everybody at a conversation, for our own people."""
        people = sorted(attendance for attendance, _until in self._table.get(relationship, {}).values())
        shown = [{"name": each.name, "side": each.side, "activity": each.activity} for each in people]
        return {"type": "presence", "relationship": relationship, "people": shown}

    def attended(self) -> list[str]:
        """The conversations somebody is at."""
        return list(self._table)

    def _tell(self, relationship: str) -> None:
        message = self.message_of(relationship)
        # the parties learn that the other side writes; not who watches, and no operator's name
        writing = sorted({each["side"] for each in message["people"] if each["activity"] == Activity.WRITING})
        hint = {"type": "presence", "relationship": relationship, "writing": writing}
        key = f"presence.{relationship}"
        listening = (topics.presence(relationship), topics.INBOX)
        self._hub.deliver(
            [Item(listening, key, 0, encoded(message)), Item((topics.writing(relationship),), key, 0, encoded(hint))]
        )
        if not self._table.get(relationship):
            self._table.pop(relationship, None)

    @staticmethod
    def _same_place(one: Attendance, other: Attendance) -> bool:
        return (one.relationship, one.name) == (other.relationship, other.name)


presence = Presence(hub)
