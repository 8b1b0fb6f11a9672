"""Tells a visitor who waits, at their own socket, which number they have, whenever it is another.

Every process looks once for all its sockets, at most once a second however fast the queue moves, and says nothing to
whom nothing changed. Hints, like all that travels here: who connects is told from the database.
"""

from typing import Any

from conversations.domain.queue_places import Places, moved
from conversations.selectors.handoffs import waiting_places
from conversations.services.broadcast import topics
from conversations.services.broadcast.hub import Hub
from conversations.services.broadcast.items import Item
from conversations.services.broadcast.messages import QUEUE_KEY, encoded
from conversations.services.broadcast.reading import read

LOOK_SECONDS = 1.0


def place_message(relationship: str, position: int | None) -> dict[str, Any]:
    """How a party's socket is told; no position: nobody has to wait any more."""
    return {"type": "queue", "relationship": relationship, "position": position}


class QueuePlaces:
    """The numbers this process last told. Belongs to the event loop."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._told: Places = {}
        self._asked = True  # who waits at the start was told on connecting, or is yet to connect

    def put(self, item: Item) -> None:
        """Somebody came into the queue or left it; presence goes by here too."""
        self._asked |= item.key.startswith(QUEUE_KEY)

    async def tick(self) -> None:
        if not self._asked:
            return
        self._asked = False
        try:
            now = await read(waiting_places)
        except Exception:  # no database for the moment: look again
            self._asked = True
            raise
        told = moved(self._told, now)
        self._told = now
        self._hub.deliver(
            Item((topics.place(who),), f"place.{who}", 0, encoded(place_message(who, position)))
            for who, position in told.items()
            if self._hub.is_watched(topics.place(who))
        )
