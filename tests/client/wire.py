"""A scripted server, and both clients driven alike."""

import inspect
import json
from collections.abc import AsyncIterator, Awaitable, Iterator
from typing import Any

import httpx
from lastword_client import AsyncLastwordClient, LastwordClient, RetryPolicy

Client = LastwordClient | AsyncLastwordClient
Outcome = httpx.Response | Exception

RELATIONSHIP = {"id": "r1", "initiator": "bank", "responder": "customer", "conversation_state": "active"}
SENT = {"event": {"seq": 2, "type": "intent", "hash": "h2"}, "conversation_depth": 1, "max_depth": 5}
OFFER = {
    "type": "re_engagement_offer",
    "previous_fir_a_id": "r1",
    "suggested_timeslot_offset_hours": 24,
    "suggested_intent": "follow_up_discussion",
    "context_from_previous": {"summary": {}, "open_items": ["documents"]},
}
CLOSURE = {
    "type": "conversation_closure",
    "fir_a_id": "r1",
    "closure_type": "max_depth",
    "timestamp": "2026-01-01T10:00:00.000000Z",
    "re_engagement_offer": OFFER,
    "seq": 7,
    "hash": "h7",
}


def answer(document: Any, status: int = 200, **headers: str) -> httpx.Response:
    return httpx.Response(status, json=document, headers=headers)


def problem(status: int, code: str, **figures: Any) -> httpx.Response:
    document = {"type": f"urn:lastword:problem:{code}", "status": status, "code": code, "detail": f"It is {code}."}
    return httpx.Response(
        status, content=json.dumps(document | figures), headers={"Content-Type": "application/problem+json"}
    )


class Wire:
    """Answers each request with the next outcome and remembers what was asked; time passes only by sleeping."""

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.outcomes: Iterator[Outcome] = iter(())
        self.requests: list[httpx.Request] = []
        self.slept: list[float] = []
        self.seconds_per_attempt = 0.0
        self.now = 0.0

    def client(self, *outcomes: Outcome, **options: Any) -> Client:
        self.outcomes = iter(outcomes)
        transport = httpx.MockTransport(self._handle)
        settings: dict[str, Any] = {
            "retry": RetryPolicy(random=lambda: 1.0),
            "transport": transport,
            "clock": lambda: self.now,
        } | options
        if self.kind == "blocking":
            return LastwordClient("http://lastword.test", "secret", sleep=self._sleep, **settings)
        return AsyncLastwordClient("http://lastword.test", "secret", sleep=self._sleep_awaited, **settings)

    @property
    def bodies(self) -> list[Any]:
        return [json.loads(request.content) for request in self.requests]

    @property
    def keys(self) -> list[str | None]:
        return [request.headers.get("Idempotency-Key") for request in self.requests]

    def _handle(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        self.now += self.seconds_per_attempt
        outcome = next(self.outcomes)
        if isinstance(outcome, Exception):
            raise outcome
        # a response belongs to the one client that read it: parametrised tests share theirs
        return httpx.Response(outcome.status_code, headers=outcome.headers, content=outcome.content)

    def _sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    async def _sleep_awaited(self, seconds: float) -> None:
        self._sleep(seconds)


async def result_of(called: Any) -> Any:
    """What a call of either client comes to: a value, awaited if need be; a listing as a list."""
    if isinstance(called, Awaitable):
        return await called
    if isinstance(called, AsyncIterator):
        return [item async for item in called]
    return list(called) if inspect.isgenerator(called) else called
