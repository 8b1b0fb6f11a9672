"""Every half minute, and whenever hints may be lost: what changed in the database that nobody here was told of?

One look for the whole process, however many sockets it serves.
"""

import asyncio
import logging

from conversations.selectors.summaries import changed_since
from conversations.services.broadcast import topics
from conversations.services.broadcast.hub import Hub
from conversations.services.broadcast.items import Item
from conversations.services.broadcast.messages import news_item, queue_item, summary_items
from conversations.services.broadcast.reading import read

LOOK_SECONDS = 30.0
REMEMBERED = 10_000
log = logging.getLogger(__name__)


class Reconciler:
    """Remembers the newest number told of each conversation and handoff, and tells what is newer."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._asked = asyncio.Event()
        self._mark: int | None = None
        self._told: dict[str, int] = {}

    def ask(self) -> None:
        """Look soon."""
        self._asked.set()

    def put(self, item: Item) -> None:
        if item.seq:
            self._told.pop(item.key, None)  # the newest last, so that the oldest is forgotten first
            self._told[item.key] = item.seq
            if len(self._told) > REMEMBERED:
                del self._told[next(iter(self._told))]

    async def run(self) -> None:
        self._hub.subscribe(self, [topics.LIVE, topics.INBOX])
        while True:
            try:
                async with asyncio.timeout(LOOK_SECONDS):
                    await self._asked.wait()
            except TimeoutError:
                pass
            self._asked.clear()
            try:
                self._mark, items = await read(missed, self._mark)
            except Exception:  # no database for the moment: the next look starts from the same mark
                log.exception("reconciling_failed")
                continue
            # a list: what is delivered is remembered, and two items of one conversation have one key
            self._hub.deliver([item for item in items if item.seq > self._told.get(item.key, 0)])


def missed(mark: int | None) -> tuple[int, list[Item]]:
    """The new mark, and everything that changed since the old one, as items."""
    changed = changed_since(mark)
    news = [news_item(row.pk, row.head_seq) for row in changed.relationships]
    queue = [queue_item(handoff) for handoff in changed.handoffs]
    return changed.mark, news + summary_items(changed.relationships) + queue
