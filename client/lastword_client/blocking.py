"""The client for ordinary code."""

import functools
import time
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Concatenate, ParamSpec, Self, TypeVar

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


class BlockingRunner(Connection):
    """Runs plans on this thread. Threads may share one."""

    def __init__(
        self,
        base_url: str,
        api_key: str,
        *,
        sender: str | None = None,
        timeout_seconds: float = 10.0,
        retry: RetryPolicy | None = None,
        receipts: ReceiptBook | None = None,
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(core_of(sender, retry, receipts, clock), timeout_seconds)
        self._http = httpx.Client(**options(base_url, api_key), transport=transport)
        self._sleep = sleep

    def close(self) -> None:
        """Closes the connection, that of every view too."""
        self._http.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def run(self, plan: Plan[T]) -> T:
        """Does what a plan asks for until it returns or raises."""
        try:
            asked = next(plan)
            while True:
                asked = plan.send(self._perform(asked))
        except StopIteration as done:
            answer: T = done.value
            return answer

    def _perform(self, send: Send) -> Reply | Lost:
        if send.delay:
            self._sleep(send.delay)
        try:
            return reply_of(self._http.request(**arguments(send, self._timeout_seconds)))
        except httpx.RequestError as problem:
            return lost(problem)


def method(
    operation: Callable[Concatenate[Core, P], Plan[T]],
) -> Callable[Concatenate[BlockingRunner, P], T]:
    """An operation as a method that returns its answer."""

    @functools.wraps(operation)
    def call(self: BlockingRunner, /, *args: P.args, **kwargs: P.kwargs) -> T:
        return self.run(operation(self._core, *args, **kwargs))

    return call


def listing(
    operation: Callable[Concatenate[Core, P], Pages[T]],
) -> Callable[Concatenate[BlockingRunner, P], Iterator[T]]:
    """A paged operation as a method that iterates over all results."""

    @functools.wraps(operation)
    def iterate(self: BlockingRunner, /, *args: P.args, **kwargs: P.kwargs) -> Iterator[T]:
        turn_to = operation(self._core, *args, **kwargs)
        page = self.run(turn_to(None))
        yield from page.results
        while page.next is not None:
            page = self.run(turn_to(page.next))
            yield from page.results

    return iterate


class LastwordClient(BlockingRunner):
    """Conversations that end, over HTTP."""

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
