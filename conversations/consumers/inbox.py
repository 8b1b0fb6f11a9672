"""`/ws/inbox`: the queue of handoffs, and who is where."""

from collections.abc import Iterable
from typing import Any

from conversations.access import Watch
from conversations.consumers.socket import Receive, Send, Socket
from conversations.selectors.handoffs import open_handoffs
from conversations.selectors.summaries import changed_since
from conversations.services.broadcast import topics
from conversations.services.broadcast.items import Item
from conversations.services.broadcast.messages import encoded, queue_item
from conversations.services.broadcast.reading import read
from conversations.services.presence import presence


class InboxSocket(Socket):
    """On connect every open handoff; then each one that changes."""

    watch = Watch.INBOX

    def __init__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        super().__init__(scope, receive, send)
        self._mark: int | None = None

    def topics(self) -> Iterable[str]:
        return [topics.INBOX]

    async def catch_up(self) -> None:
        self._mark, items = await read(snapshot, self._mark)
        for item in items:
            await self.forward(item)
        for relationship in presence.attended():
            await self.send_text(encoded(presence.message_of(relationship)))


def snapshot(mark: int | None) -> tuple[int, list[Item]]:
    """The open queue at first, later what changed since; with the mark to ask from next time."""
    changed = changed_since(mark)
    rows = open_handoffs() if mark is None else changed.handoffs
    return changed.mark, [queue_item(handoff) for handoff in rows]
