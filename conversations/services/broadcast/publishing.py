"""Telling every process, once the change is really there."""

import asyncio
import itertools
import logging
import os
import threading
from collections import deque
from collections.abc import Iterable, Sequence

from channels.layers import get_channel_layer
from django.db import transaction

from conversations.domain.events import Recorded
from conversations.models import Handoff, Relationship
from conversations.selectors.summaries import current_steps, last_line, last_lines
from conversations.services.broadcast.items import Item
from conversations.services.broadcast.messages import event_items, queue_item, summary_for

HUB_GROUP = "lastword.hub"
WAITING_LIMIT = 10_000
BATCH = 200
SEND_SECONDS = 2.0
log = logging.getLogger(__name__)


def publish_on_commit(told: Sequence[tuple[Relationship, Recorded]]) -> None:
    """Tells watchers of each conversation, and of the board, of its event."""
    # no partial: Django logs a failed robust hook by its __qualname__, which a partial has not, and fails the request
    transaction.on_commit(lambda: _tell(told), robust=True)


def queue_on_commit(handoff: Handoff) -> None:
    """Tells watchers of the queue."""
    transaction.on_commit(lambda: publish(queue_item(handoff)), robust=True)


def _tell(told: Sequence[tuple[Relationship, Recorded]]) -> None:
    # of several events in one transaction only the last leaves a conversation as the board is to show it
    shown = [(relationship, event) for relationship, event in told if event.seq == relationship.head_seq]
    lines = {relationship.pk: last_line(event) for relationship, event in shown}
    if wordless := [relationship for relationship, _event in shown if not lines[relationship.pk]]:
        lines |= last_lines(wordless)
    steps = current_steps([relationship for relationship, _event in shown])
    publish(
        *(item for relationship, event in told for item in event_items(relationship, event)),
        *(
            item
            for relationship, _event in shown
            for item in summary_for(relationship, last_line=lines[relationship.pk], current=steps.get(relationship.pk))
        ),
    )


def publish(*items: Item) -> None:
    """Sends to whoever listens, in any process. Never raises and never waits long: the database is the truth."""
    loop = _serving_loop
    if loop is not None and loop.is_running():
        loop.call_soon_threadsafe(outgoing.offer, items)
        return
    try:
        sending = asyncio.run_coroutine_threadsafe(send_to_layer(items), _own_loop())
        sending.result(SEND_SECONDS)
    except Exception as problem:  # a lost hint is caught up from the database
        log.warning("broadcast_failed", extra={"problem": type(problem).__name__})


async def send_to_layer(items: Iterable[Item]) -> None:
    await get_channel_layer().group_send(HUB_GROUP, {"type": "hub", "items": [list(item) for item in items]})


class Outgoing:
    """What the serving process has yet to send: in order, bounded, many items in one message of the layer."""

    def __init__(self) -> None:
        self._items: deque[Item] = deque(maxlen=WAITING_LIMIT)
        self._wake = asyncio.Event()

    def offer(self, items: Iterable[Item]) -> None:
        self._items.extend(items)
        self._wake.set()

    async def run(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._items:
                batch = [self._items.popleft() for _ in itertools.repeat(None, min(BATCH, len(self._items)))]
                try:
                    async with asyncio.timeout(SEND_SECONDS):
                        await send_to_layer(batch)
                except Exception as problem:  # as above
                    log.warning("broadcast_failed", extra={"problem": type(problem).__name__, "items": len(batch)})


outgoing = Outgoing()
_serving_loop: asyncio.AbstractEventLoop | None = None
_side: tuple[int, asyncio.AbstractEventLoop] | None = None
_side_lock = threading.Lock()


def bind_loop(loop: asyncio.AbstractEventLoop | None) -> None:
    """The serving process names its event loop; a process without one (a worker) publishes on a loop of its own."""
    global _serving_loop  # noqa: PLW0603 one loop a process, set once at start-up
    _serving_loop = loop


def _own_loop() -> asyncio.AbstractEventLoop:
    """A loop on a thread, so that a worker keeps one connection to the layer; after a fork, a new one."""
    global _side  # noqa: PLW0603 one loop a process
    with _side_lock:
        if _side is None or _side[0] != os.getpid():
            loop = asyncio.new_event_loop()
            threading.Thread(target=loop.run_forever, name="broadcast", daemon=True).start()
            _side = (os.getpid(), loop)
        return _side[1]
