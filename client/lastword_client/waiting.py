"""The client for asyncio: the same methods, awaited."""

import asyncio
import functools
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, Self, TypeVar

import httpx

from lastword_client.connection import Connection, arguments, lost, options, reply_of
from lastword_client.core import Core, core_of
from lastword_client.operations import agents, audit, relationships
from lastword_client.operations.pages import Pages
from lastword_client.plan import Lost, Plan, Reply, Send
from lastword_client.receipts import ReceiptBook
from lastword_client.retry import RetryPolicy

T = TypeVar("T")
P = ParamSpec("P")


class WaitingRunner(Connection):
    """Runs plans on the event loop. Tasks may share one."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        sender: str | None = None,
        timeout_seconds: float = 10.0,
        retry: RetryPolicy | None = None,
        receipts: ReceiptBook | None = None,
        transport: httpx.AsyncBaseTransport | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(core_of(sender, retry, receipts, clock), timeout_seconds)
        self._http = httpx.AsyncClient(**options(base_url, api_key), transport=transport)
        self._sleep = sleep

    async def close(self) -> None:
        """Closes the connection, that of every view too."""
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def run(self, plan: Plan[T]) -> T:
        """Does what a plan asks for until it returns or raises."""
        try:
            asked = next(plan)
            while True:
                asked = plan.send(await self._perform(asked))
        except StopIteration as done:
            answer: T = done.value
            return answer

    async def _perform(self, send: Send) -> Reply | Lost:
        if send.delay:
            await self._sleep(send.delay)
        try:
            return reply_of(await self._http.request(**arguments(send, self._timeout_seconds)))
        except httpx.RequestError as problem:
            return lost(problem)


def method(
    operation: Callable[Concatenate[Core, P], Plan[T]],
) -> Callable[Concatenate[WaitingRunner, P], Coroutine[Any, Any, T]]:
    """An operation as a method to await."""

    @functools.wraps(operation)
    async def call(self: WaitingRunner, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.run(operation(self._core, *args, **kwargs))

    return call


def listing(
    operation: Callable[Concatenate[Core, P], Pages[T]],
) -> Callable[Concatenate[WaitingRunner, P], AsyncIterator[T]]:
    """A paged operation as a method to iterate over with `async for`."""

    @functools.wraps(operation)
    async def iterate(self: WaitingRunner, /, *args: P.args, **kwargs: P.kwargs) -> AsyncIterator[T]:
        turn_to = operation(self._core, *args, **kwargs)
        page = await self.run(turn_to(None))
        for result in page.results:
            yield result
        while page.next is not None:
            page = await self.run(turn_to(page.next))
            for result in page.results:
                yield result

    return iterate


class AsyncLastwordClient(WaitingRunner):
    """Conversations that end, over HTTP, without blocking."""

    init_relationship = method(relationships.init_relationship)
    get_relationship = method(relationships.get_relationship)
    list_relationships = listing(relationships.list_relationships)
    send_intent = method(relationships.send_intent)
    send_response = method(relationships.send_response)
    close_conversation = method(relationships.close_conversation)
    create_followup_conversation = method(relationships.create_followup_conversation)
    accept_offer = method(relationships.accept_offer)
    lineage = method(relationships.lineage)
    rate = method(relationships.rate)
    sweep = method(relationships.sweep)
    events = method(audit.events)
    verify = method(audit.verify)
    export = method(audit.export)
    take_turn = method(agents.take_turn)
    post_step = method(agents.post_step)
    request_handoff = method(agents.request_handoff)
    health = method(agents.health)
