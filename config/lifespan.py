"""What starts with the server and stops with it."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from config.onehop.types import Receive, Scope, Send

log = logging.getLogger("lastword.lifespan")


@dataclass(frozen=True, slots=True)
class Service:
    """A part of the process. `start` and `stop` block and run on a thread."""

    name: str
    start: Callable[[], object]
    stop: Callable[[], object]


class Lifespan:
    """Starts services in order and stops them in the opposite order; `beside` runs on the loop all the while."""

    def __init__(
        self,
        services: list[Service],
        bind_loop: Callable[[asyncio.AbstractEventLoop], None],
        beside: Callable[[], Coroutine[Any, Any, None]] | None = None,
    ) -> None:
        self._services = services
        self._beside = beside
        self._task: asyncio.Task[None] | None = None
        self._bind_loop = bind_loop
        self._running: list[Service] = []
        self.started = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        while True:
            message = await receive()
            if message["type"] == "lifespan.startup":
                try:
                    await self._start()
                except Exception as error:
                    await self._stop()
                    await send({"type": "lifespan.startup.failed", "message": str(error)})
                    return
                await send({"type": "lifespan.startup.complete"})
            elif message["type"] == "lifespan.shutdown":
                await self._stop()
                await send({"type": "lifespan.shutdown.complete"})
                return

    async def _start(self) -> None:
        self._bind_loop(asyncio.get_running_loop())
        if self._beside is not None:
            self._task = asyncio.create_task(self._beside())
        for service in self._services:
            await asyncio.to_thread(service.start)
            self._running.append(service)
        self.started = True

    async def _stop(self) -> None:
        self.started = False
        while self._running:
            service = self._running.pop()
            try:
                await asyncio.to_thread(service.stop)
            except Exception:
                log.exception("a service did not stop cleanly", extra={"part": service.name})
        if self._task is not None:
            self._task.cancel()
            [ended] = await asyncio.gather(self._task, return_exceptions=True)
            if isinstance(ended, Exception):
                log.error("what runs beside the server had failed", exc_info=ended)
            self._task = None
