"""`/ws/live`: the board, one summary a conversation; a party sees its own conversations."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from conversations.access import Watch
from conversations.consumers.socket import Receive, Send, Socket
from conversations.selectors.summaries import board, changed_since
from conversations.services.broadcast import topics
from conversations.services.broadcast.items import Item
from conversations.services.broadcast.messages import summary_items
from conversations.services.broadcast.reading import read


class LiveSocket(Socket):
    """On connect the active conversations; a slow reader gets the newest summary of each, not every one."""

    watch = Watch.LIVE

    def __init__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        super().__init__(scope, receive, send)
        self._mark: int | None = None

    def topics(self) -> Iterable[str]:
        mine = self.holder.participant_id
        return [topics.participant(mine) if mine else topics.LIVE]

    async def catch_up(self) -> None:
        self._mark, items = await read(snapshot, self._mark, self.holder.participant_id)
        mine = set(self.topics())
        for item in items:
            if not mine.isdisjoint(item.topics):
                await self.forward(item)


def snapshot(mark: int | None, participant_id: UUID | None) -> tuple[int, list[Item]]:
    """The board at first, later what changed since; with the mark to ask from next time."""
    changed = changed_since(mark, participant_id=participant_id)
    rows = board(participant_id=participant_id) if mark is None else changed.relationships
    return changed.mark, summary_items(rows)
