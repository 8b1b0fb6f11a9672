"""The standing cast: who acts in tests, each with a key of their own.

Every answer an actor gets is looked at on the way: never a 5xx, never HTML, a refusal always in the contract's shape.
"""

import json
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from conversations.models import ApiKey
from conversations.services.api_keys import create_api_key

BASE = "/api/v1"
JSON = "application/json"
INITIATOR, RESPONDER, STRANGER = "bank", "customer", "stranger"


class Actor:
    """Somebody with a key (or without) who calls the API."""

    def __init__(self, key: str | None = None, *, record: ApiKey | None = None, handle: str | None = None) -> None:
        self.key, self.record, self.handle = key, record, handle
        self.client = Client(raise_request_exception=False)

    def get(self, path: str, **query: Any) -> HttpResponse:
        return self.call("GET", path, query_params=query)

    def post(self, path: str, body: Any = None, **headers: str) -> HttpResponse:
        return self.send(path, json.dumps({} if body is None else body), **headers)

    def send(
        self, path: str, raw: str | bytes, *, content_type: str = "application/json", **headers: str
    ) -> HttpResponse:
        """A body exactly as given."""
        return self.call("POST", path, data=raw, content_type=content_type, headers=headers)

    def call(self, method: str, path: str, *, headers: dict[str, str] | None = None, **request: Any) -> HttpResponse:
        credentials = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        named = {name.replace("_", "-"): value for name, value in (headers or {}).items()}
        answer = self.client.generic(method, BASE + path, headers={**credentials, **named}, **request)
        check_contract(answer)
        return answer


def check_contract(answer: HttpResponse) -> None:
    """What holds of every answer of the API."""
    assert answer.status_code < 500, answer.content
    if answer.status_code < 400:
        return
    assert answer.headers["Content-Type"] == "application/problem+json", answer.headers
    problem = answer.json()
    assert problem["status"] == answer.status_code
    assert problem["type"] == f"urn:lastword:problem:{problem['code']}"
    assert problem["title"]
    assert problem["detail"]


def refused(answer: HttpResponse, status: int, code: str) -> dict[str, Any]:
    """The problem of a refusal, which must be exactly this one."""
    problem = answer.json()
    assert (answer.status_code, problem["code"]) == (status, code), problem
    return problem


def accepted(answer: HttpResponse, status: int = 200) -> dict[str, Any]:
    """The document of an answer, which must have this status."""
    assert answer.status_code == status, answer.content
    return answer.json()


def actor_for(role: str, handle: str | None = None) -> Actor:
    record, key = create_api_key(name=handle or f"the {role}", role=role, participant_handle=handle)
    return Actor(key, record=record, handle=handle)


@pytest.fixture
def router(db: None) -> Actor:
    return actor_for("router")


@pytest.fixture
def operator(db: None) -> Actor:
    return actor_for("operator")


@pytest.fixture
def auditor(db: None) -> Actor:
    return actor_for("auditor")


@pytest.fixture
def editor(db: None) -> Actor:
    return actor_for("editor")


@pytest.fixture
def initiator(db: None) -> Actor:
    return actor_for("participant", INITIATOR)


@pytest.fixture
def responder(db: None) -> Actor:
    return actor_for("participant", RESPONDER)


@pytest.fixture
def stranger(db: None) -> Actor:
    return actor_for("participant", STRANGER)


@pytest.fixture
def nobody(db: None) -> Actor:
    return Actor()


Opens = Callable[..., str]


@pytest.fixture
def opened(router: Actor) -> Opens:
    """Opens a conversation between initiator and responder on the given terms; gives its path below the base."""

    def opens(**terms: Any) -> str:
        answer = accepted(router.post("/relationships", {"initiator": INITIATOR, "responder": RESPONDER, **terms}), 201)
        return f"/relationships/{answer['id']}"

    return opens


class Clock:
    """The service's clock, moved by hand."""

    def __init__(self, start: datetime) -> None:
        self.now = start

    def __call__(self) -> datetime:
        return self.now

    def advance(self, **by: float) -> datetime:
        self.now += timedelta(**by)
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    """Time stands still at a round moment until the test moves it."""
    standing = Clock(datetime(2025, 11, 27, 14, 0, tzinfo=UTC))
    monkeypatch.setattr(timezone, "now", standing)
    yield standing
