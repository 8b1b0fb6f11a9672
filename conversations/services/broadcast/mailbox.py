"""Between the hub, which never waits, and one socket, which may be slow."""

import asyncio

from conversations.services.broadcast.items import Item


class Mailbox:
    """Bounded: what does not fit is forgotten and marked as lost, and the socket catches up from the database."""

    __slots__ = ("_items", "_limit", "_lost", "_wake")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._items: dict[str, Item] = {}
        self._lost = False
        self._wake = asyncio.Event()

    def put(self, item: Item) -> None:
        if self._lost:
            return
        if len(self._items) >= self._limit and item.key not in self._items:
            self._items.clear()
            self._lost = True
        else:
            self._items[item.key] = item
        self._wake.set()

    async def take(self) -> tuple[list[Item], bool]:
        """Everything that waits, and whether something before it was lost; from here on it collects anew."""
        await self._wake.wait()
        self._wake.clear()
        items, lost = list(self._items.values()), self._lost
        self._items.clear()
        self._lost = False
        return items, lost
