"""What must run beside the sockets of a serving process; started and stopped with it."""

import asyncio

from conversations.consumers.door import LOOK_SECONDS, door, every
from conversations.services.broadcast import topics
from conversations.services.broadcast.hub import hub
from conversations.services.broadcast.listening import BEAT_SECONDS, Listener
from conversations.services.broadcast.publishing import outgoing
from conversations.services.broadcast.reconciling import Reconciler
from conversations.services.presence import presence
from conversations.services.queue_places import LOOK_SECONDS as PLACE_SECONDS
from conversations.services.queue_places import QueuePlaces

PRESENCE_SECONDS = 1.0


class LiveSockets:
    """`run` is one task; cancelling it stops everything."""

    def __init__(self) -> None:
        self._reconciler = Reconciler(hub)
        self._places = QueuePlaces(hub)
        self._listener = Listener(hub, outgoing, self._reconciler.ask)

    async def run(self) -> None:
        hub.subscribe(presence, [topics.ATTENDANCE])
        hub.subscribe(self._places, [topics.INBOX])
        async with asyncio.TaskGroup() as tasks:
            for work in (
                outgoing.run(),
                self._listener.run(),
                self._reconciler.run(),
                every(BEAT_SECONDS, self._listener.beat),
                every(PRESENCE_SECONDS, presence.tick),
                every(PLACE_SECONDS, self._places.tick),
                every(LOOK_SECONDS, door.look),
            ):
                tasks.create_task(work)
