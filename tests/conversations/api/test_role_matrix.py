"""Role x route x own or foreign: generated from the addresses there are; a route missing from the table fails."""

from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth import get_user_model
from django.urls import URLPattern, URLResolver, get_resolver

from conversations.api.authentication import ApiKeyAuthentication
from tests.cast import Actor, Opens, actor_for
from tests.conversations.api.role_table import OPEN, ROLES, Route, table
from tests.invariants import snapshot

pytestmark = pytest.mark.django_db

BASE = "api/v1/"
MATRIX = [(*route, role) for route in table() for role in ROLES]


def walked(patterns: list[URLPattern | URLResolver], prefix: str = "") -> Iterator[tuple[str, Any]]:
    for pattern in patterns:
        path = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from walked(pattern.url_patterns, path)
        else:
            yield path, pattern.callback


def routes() -> set[Route]:
    """Every method of every address below the base."""
    found = set()
    for path, view in walked(get_resolver().url_patterns):
        if path.startswith(BASE):
            methods = set(view.cls.http_method_names) - {"options", "head"}
            found |= {(method.upper(), path.removeprefix(BASE)) for method in methods if hasattr(view.cls, method)}
    return found


def test_every_route_is_in_the_table_and_every_line_is_a_route() -> None:
    assert routes() == table().keys() | OPEN


def test_no_other_address_is_opened_by_a_key() -> None:
    """What lies outside the base has a table of its own: `tests/config/test_exposition.py`."""
    views = [(path, view.cls) for path, view in walked(get_resolver().url_patterns) if hasattr(view, "cls")]
    keyed = {path for path, view in views if ApiKeyAuthentication in view.authentication_classes}
    assert {path for path in keyed if not path.startswith(BASE)} == {"metrics"}


def filled(path: str, relationship: str) -> str:
    """The address with a real relationship and otherwise names that nobody has."""
    path = path.replace("<uuid:relationship_id>", relationship).replace("<str:slug>", "none").replace("<path:key>", "k")
    path = path.replace("<slug:feature>", "none").replace("<slug:slug>", "none")
    for name in ("handoff_id", "delivery_id", "subscription_id", "job_id"):
        path = path.replace(f"<uuid:{name}>", str(uuid4()))
    for name in ("version", "notice_id"):
        path = path.replace(f"<int:{name}>", "1")
    assert "<" not in path, path
    return f"/{path}"


def player(role: str) -> Actor:
    if role != "administrator":
        return actor_for(role, "bank" if role == "participant" else None)
    actor = actor_for("operator")
    get_user_model().objects.filter(pk=actor.record.user_id).update(is_superuser=True)
    return actor


def called(actor: Actor, method: str, path: str) -> Any:
    body = {} if method == "GET" else {"data": "{}", "content_type": "application/json"}
    return actor.call(method, path, **body)


@pytest.mark.parametrize(("method", "path", "role"), MATRIX)
def test_a_role_gets_exactly_what_the_table_says(opened: Opens, method: str, path: str, role: str) -> None:
    """Allowed means: not stopped at the door. What an empty body then meets is another test's matter."""
    relationship = opened().rpartition("/")[2]
    actor = player(role)
    before = snapshot()
    answer = called(actor, method, filled(path, relationship))
    if role in table()[method, path]:
        assert answer.status_code not in (401, 403), answer.content
    else:
        assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")
        assert snapshot() == before


@pytest.mark.parametrize(("method", "path"), table().keys())
def test_without_a_key_no_route_answers(nobody: Actor, opened: Opens, method: str, path: str) -> None:
    relationship = opened().rpartition("/")[2]
    before = snapshot()
    assert called(nobody, method, filled(path, relationship)).status_code == 401
    assert snapshot() == before


@pytest.mark.parametrize(
    ("method", "path"),
    [(method, path) for (method, path), roles in table().items() if "participant" in roles and "<" in path],
)
def test_a_foreign_conversation_is_not_there_for_a_participant(
    stranger: Actor, opened: Opens, method: str, path: str
) -> None:
    """Not even its existence is told: the same answer as for an id that nobody has."""
    bodies = {"intents": '{"intent": "x"}', "responses": '{"response": "x"}', "rating": '{"score": 3}'}
    body = bodies.get(path.rpartition("/")[2], '{"closure_type": "error"}' if path.endswith("close") else "{}")
    sent = {} if method == "GET" else {"data": body, "content_type": "application/json"}
    relationship = opened().rpartition("/")[2]
    before = snapshot()
    foreign = stranger.call(method, filled(path, relationship), **sent)
    unknown = stranger.call(method, filled(path, str(uuid4())), **sent)
    assert foreign.status_code == unknown.status_code == 404
    assert foreign.json() == unknown.json()
    assert snapshot() == before
