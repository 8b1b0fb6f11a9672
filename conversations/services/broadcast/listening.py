"""One subscription a process, kept alive: a heartbeat through the layer shows whether hints still arrive."""

import asyncio
import logging
import random
import secrets
from collections.abc import Callable

from channels.layers import get_channel_layer

from conversations.services.broadcast import topics
from conversations.services.broadcast.hub import Hub
from conversations.services.broadcast.items import Item
from conversations.services.broadcast.publishing import HUB_GROUP, Outgoing

BEAT_SECONDS = 1.0
# Several beats without one coming back: the subscription is gone, whatever the layer believes.
SILENCE_SECONDS = 4.0
RETRY_SECONDS = (0.5, 10.0)
log = logging.getLogger(__name__)


class Listener:
    """Feeds the hub from the layer, and calls `on_gap` whenever something may have been missed."""

    def __init__(self, hub: Hub, outgoing: Outgoing, on_gap: Callable[[], None]) -> None:
        self._hub, self._outgoing, self._on_gap = hub, outgoing, on_gap
        self._topic = topics.beat(secrets.token_hex(8))
        self._sent = 0
        self._heard: int | None = None
        self._retry = RETRY_SECONDS[0]

    async def run(self) -> None:
        self._hub.subscribe(self, [self._topic])
        while True:
            try:
                await self._listen()
            except Exception as problem:
                log.warning("hub_subscription_lost", extra={"problem": type(problem).__name__})
            self._on_gap()
            await asyncio.sleep(self._retry * random.uniform(0.5, 1.0))  # noqa: S311 spread, not a secret
            self._retry = min(self._retry * 2, RETRY_SECONDS[1])

    async def _listen(self) -> None:
        layer = get_channel_layer()
        try:
            channel = await layer.new_channel("hub")
            await layer.group_add(HUB_GROUP, channel)
            self._heard = None
            self._on_gap()  # subscribed first, so that nothing falls between looking and listening
            while True:
                async with asyncio.timeout(SILENCE_SECONDS):
                    message = await layer.receive(channel)
                self._hub.deliver([Item(*item) for item in message["items"]])
        finally:
            await layer.flush()

    async def beat(self) -> None:
        self._sent += 1
        self._outgoing.offer([Item((self._topic,), "beat", self._sent, "")])

    def put(self, item: Item) -> None:
        """One of our own beats came back; one that did not was lost together with whatever was sent beside it."""
        if self._heard is not None and item.seq != self._heard + 1:
            self._on_gap()
        self._heard = item.seq
        self._retry = RETRY_SECONDS[0]
