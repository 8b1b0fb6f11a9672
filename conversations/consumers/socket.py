"""One websocket: let in, catch up, forward, until somebody ends it.

A plain ASGI application: Channels' consumers go through a thread for every message, which is most of a fan-out's cost.
"""

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, ClassVar

from conversations.access import Watch
from conversations.consumers.door import door, query_of
from conversations.consumers.inbound import ClientMessage, Said, read_message
from conversations.consumers.refusals import Close, Refused
from conversations.selectors.passes import Holder, Pass
from conversations.services.broadcast.hub import hub
from conversations.services.broadcast.items import Item
from conversations.services.broadcast.mailbox import Mailbox
from conversations.services.broadcast.messages import encoded
from conversations.services.presence import Activity, Attendance, Side, presence

Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

MAILBOX_LIMIT = 500
CLOSE_SECONDS = 2.0
ACTIVITIES = {Said.VIEWING: Activity.VIEWING, Said.TYPING: Activity.WRITING}
PONG = encoded({"type": "pong"})
log = logging.getLogger(__name__)


class Socket:
    """What all sockets have in common; each kind says what it watches and how it catches up."""

    watch: ClassVar[Watch]
    shown: Pass
    holder: Holder

    def __init__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        self._receive, self._transmit = receive, send
        self.scope, self.query = scope, query_of(scope)
        self._mailbox = Mailbox(MAILBOX_LIMIT)
        self._dismissed: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def prepare(self) -> None:
        """Checks what this kind needs beyond the right to watch; raises the refusal."""

    def topics(self) -> Iterable[str]:
        raise NotImplementedError

    async def catch_up(self) -> None:
        """Sends what the database has and the client has not; also after messages were lost."""
        raise NotImplementedError

    async def forward(self, item: Item) -> None:
        await self.send_text(item.text)

    def place_of(self, message: ClientMessage) -> str | None:
        """The conversation the client says it views or writes in; a party says so on the conversation's own socket."""
        return None if self.holder.participant_id else message.relationship

    @classmethod
    async def serve(cls, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        """The ASGI application."""
        await cls(scope, receive, send)._run()

    async def _run(self) -> None:
        await self._receive()
        await self._send({"type": "websocket.accept"})
        topics: list[str] = []
        try:
            self.holder = await door.admit(self, self.scope)
            await self.prepare()
            topics = list(self.topics())
            hub.subscribe(self._mailbox, topics)
            await self._until_one_ends()
        except Refused as refused:
            await self._close(refused)
        except OSError:  # the client went away while it was being told something
            pass
        finally:
            hub.unsubscribe(self._mailbox, topics)
            presence.leave(self)
            door.leave(self)

    async def _until_one_ends(self) -> None:
        """Listening, forwarding and the door: whichever ends first ends the socket, with its exception if any."""
        tasks = [asyncio.create_task(self._listen()), asyncio.create_task(self._forward())]
        try:
            done, _ = await asyncio.wait([*tasks, self._dismissed], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        for ended in done:
            ended.result()

    async def _listen(self) -> None:
        while (frame := await self._receive())["type"] != "websocket.disconnect":
            message = read_message(frame)
            if message.type == Said.PING:
                await self.send_text(PONG)
            elif (place := self.place_of(message)) is not None:
                side = Side.PARTICIPANT if self.holder.participant_id else Side.OPERATOR
                presence.attend(self, Attendance(place, self.holder.name, side, ACTIVITIES[message.type]))

    async def _forward(self) -> None:
        await self.catch_up()
        while True:
            items, lost = await self._mailbox.take()
            if lost:
                await self.catch_up()
            for item in items:
                await self.forward(item)

    async def send_text(self, text: str) -> None:
        """Every push stands under the newest look at the holder's rights."""
        if not self._dismissed.done():
            await self._send({"type": "websocket.send", "text": text})

    async def _send(self, message: dict[str, Any]) -> None:
        try:
            await self._transmit(message)
        except RuntimeError as problem:  # the server closed the connection itself, after a ping went unanswered
            raise ConnectionAbortedError from problem

    def dismiss(self, refused: Refused) -> None:
        if not self._dismissed.done():
            self._dismissed.set_exception(refused)

    async def _close(self, refused: Refused) -> None:
        # a reader that takes nothing any more cannot be told why; the server drops the connection after us
        with contextlib.suppress(OSError, TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS):
                if refused.close == Close.BAD_MESSAGE:
                    told = {"type": "error", "code": refused.code, "detail": refused.detail}
                    await self._send({"type": "websocket.send", "text": encoded(told)})
                await self._send({"type": "websocket.close", "code": int(refused.close)})
