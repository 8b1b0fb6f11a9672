"""What both clients share: building requests, reading answers, keeping receipts, trying again."""

import json
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from lastword_client.answers import MalformedAnswer
from lastword_client.errors import LastwordError, TransportError, UnexpectedAnswer
from lastword_client.plan import Lost, Plan, Reply, Request, Send
from lastword_client.problems import refusal
from lastword_client.receipts import ReceiptBook, receipts_in
from lastword_client.retry import RetryPolicy

T = TypeVar("T")
LEAST_PATIENCE = 0.001  # a timeout of zero or less is an error of its own


def new_id() -> str:
    """A name nobody else uses: an idempotency key, a message id, a step id."""
    return str(uuid.uuid4())


@dataclass(frozen=True, slots=True)
class Core:
    """The state of a client apart from its connection. `sender` is the participant it speaks for."""

    receipts: ReceiptBook
    retry: RetryPolicy
    sender: str | None
    clock: Callable[[], float]

    def get(self, path: str, **query: object) -> Request:
        """A read; parameters that are None are left out."""
        return Request("GET", path, query={name: str(value) for name, value in given(query).items()})

    def post(self, path: str, body: Mapping[str, Any], *, idempotency_key: str | None) -> Request:
        """A write under one idempotency key, however often it is sent; values that are None are left out."""
        key = idempotency_key or new_id()
        return Request(
            "POST",
            path,
            headers={"Content-Type": "application/json", "Idempotency-Key": key},
            body=json.dumps(given(body), allow_nan=False).encode(),
        )

    def fetch(self, request: Request, read: Callable[[Any], T], *, relationship: str | None = None) -> Plan[T]:
        """The answer as a value. Its receipts are kept; `relationship` is the one the path names."""
        reply = yield from self.exchange(request, relationship=relationship)
        document = decoded(reply)
        self.receipts.keep(receipts_in(document, relationship))
        try:
            return read(document)
        except MalformedAnswer as problem:
            raise UnexpectedAnswer(str(problem), status=reply.status) from problem

    def exchange(self, request: Request, *, relationship: str | None = None) -> Plan[Reply]:
        """A successful reply, after as many attempts as the policy allows; else the typed refusal."""
        started = self.clock()
        attempt, delay = 0, 0.0
        while True:
            attempt += 1
            left = self.retry.deadline_seconds - (self.clock() - started) - delay
            outcome = yield Send(request, delay=delay, patience=max(left, LEAST_PATIENCE))
            if isinstance(outcome, Reply) and 200 <= outcome.status < 300:
                return outcome
            elapsed = self.clock() - started
            wait = self.retry.wait(request, outcome, attempt=attempt, elapsed=elapsed)
            if wait is None:
                raise self._failure(request, outcome, relationship)
            delay = wait

    def _failure(self, request: Request, outcome: Reply | Lost, relationship: str | None) -> LastwordError:
        if isinstance(outcome, Reply):
            error = refusal(outcome)
            self.receipts.keep(receipts_in(error.problem, relationship))
            return error
        lost = TransportError(
            f"{request.method} {request.path}: {outcome.cause!r}",
            idempotency_key=request.headers.get("Idempotency-Key"),
        )
        lost.__cause__ = outcome.cause
        return lost


def core_of(
    sender: str | None,
    retry: RetryPolicy | None,
    receipts: ReceiptBook | None,
    clock: Callable[[], float],
) -> Core:
    """A core from what a caller may leave out."""
    return Core(
        # an empty book is false: only None means none was given
        receipts=ReceiptBook() if receipts is None else receipts,
        retry=retry or RetryPolicy(),
        sender=sender,
        clock=clock,
    )


def given(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values somebody gave: None means the server's default."""
    return {name: value for name, value in values.items() if value is not None}


def decoded(reply: Reply) -> Any:
    """The JSON of a successful reply."""
    try:
        return json.loads(reply.content)
    except ValueError as problem:
        raise UnexpectedAnswer("the answer is not JSON", status=reply.status) from problem
