"""`/ws/relationships/{id}?after_seq=N`: every event after N, then live, no gap, no repeat."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from conversations.access import Watch
from conversations.consumers.inbound import ClientMessage, refusal
from conversations.consumers.refusals import Close, Refused
from conversations.consumers.socket import Receive, Send, Socket
from conversations.domain.disclosure import for_party
from conversations.selectors.events import events_after
from conversations.selectors.handoffs import place_of
from conversations.selectors.summaries import is_watchable
from conversations.services.broadcast import topics
from conversations.services.broadcast.items import Item
from conversations.services.broadcast.messages import encoded, event_text
from conversations.services.broadcast.reading import read
from conversations.services.presence import presence
from conversations.services.queue_places import place_message

PAGE = 200


class RelationshipSocket(Socket):
    """Knows the last sequence number it sent: a message is forwarded when it is the next one, and anything else is
    read from the database."""

    watch = Watch.RELATIONSHIP

    def __init__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        super().__init__(scope, receive, send)
        self._id: UUID = scope["url_route"]["kwargs"]["relationship_id"]
        self._sent = 0

    async def prepare(self) -> None:
        after = self.query.get("after_seq", "0")
        if not (after.isascii() and after.isdigit()) or len(after) > 9:
            raise refusal("invalid_after_seq", "`after_seq` is a sequence number.")
        self._sent = int(after)
        mine = self.holder.participant_id
        if not await read(is_watchable, self._id, participant_id=mine):
            # a party of other conversations must not learn which ones exist
            raise Refused(Close.NO_RIGHT if mine else Close.NOT_FOUND)

    def topics(self) -> Iterable[str]:
        if self.holder.participant_id:
            return topics.party(self._id), topics.writing(self._id), topics.place(self._id)
        return topics.relationship(self._id), topics.presence(self._id)

    def place_of(self, message: ClientMessage) -> str | None:
        return str(self._id)

    async def catch_up(self) -> None:
        await self._read_on()
        if not self.holder.participant_id:
            await self.send_text(encoded(presence.message_of(str(self._id))))
        elif place := await read(place_of, self._id):
            await self.send_text(encoded(place_message(str(self._id), place)))

    async def _read_on(self) -> None:
        """A page at a time: however far behind, memory stays bounded by what the client takes."""
        while page := await read(events_after, self._id, self._sent, limit=PAGE):
            for event in map(for_party, page) if self.holder.participant_id else page:
                await self.send_text(event_text(self._id, event))
                self._sent = event.seq
            if len(page) < PAGE:
                break

    async def forward(self, item: Item) -> None:
        if not item.seq:  # presence, or a place in the queue
            await self.send_text(item.text)
        elif item.seq == self._sent + 1 and item.text:
            await self.send_text(item.text)
            self._sent = item.seq
        elif item.seq > self._sent:
            await self._read_on()
