"""The database goes away at any single statement: 503, never 500, and a retry has exactly one effect."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest
from django.db import connection

from conversations.models import Event
from tests.cast import BASE, Actor, Opens
from tests.killing import ENOUGH

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgres]


@contextmanager
def lost_at(number: int) -> Iterator[list[str]]:
    """Our backend is terminated right before the n-th statement; gives the statements as they come."""
    seen: list[str] = []
    settings = connection.get_connection_params()
    where = {name: settings[name] for name in ("host", "port", "user", "password", "dbname") if settings.get(name)}

    def count_down(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        seen.append(sql)
        if len(seen) == number:
            with psycopg.connect(**where, autocommit=True) as other:
                other.execute("SELECT pg_terminate_backend(%s)", [connection.connection.info.backend_pid])
        return execute(sql, params, many, context)

    with connection.execute_wrapper(count_down):
        yield seen


@pytest.mark.parametrize(
    ("address", "body", "type_"),
    [
        ("{path}/intents", {"sender": "bank", "intent": "ask", "humotica": "why"}, "intent"),
        ("{path}/close", {"closure_type": "completed"}, "conversation_closure"),
        ("{path}/handoff", {"reason": "wants a person"}, "handoff_requested"),
        ("/threads/{path}/events", {"event_id": "1", "sender": "alice", "text": "Hello"}, "thread_message"),
    ],
)
def test_lost_at_any_statement(router: Actor, opened: Opens, address: str, body: dict[str, Any], type_: str) -> None:
    for number in range(1, ENOUGH):
        path = opened()
        where = BASE + address.format(path=path)
        headers = {"Authorization": f"Bearer {router.key}", "Idempotency-Key": path}

        def sent(where: str = where, headers: dict[str, str] = headers) -> int:
            posted = router.client.post(where, data=body, content_type="application/json", headers=headers)
            return int(posted.status_code)

        router.record.last_used_at = None
        router.record.save()
        before = Event.objects.filter(type=type_).count()
        with lost_at(number) as statements:
            status = sent()
        connection.close()
        assert status in (200, 201, 503), (status, number, statements[number - 2 : number])
        assert sent() in (200, 201)
        assert Event.objects.filter(type=type_).count() == before + 1
        if len(statements) < number:
            return
    pytest.fail("it never came to its end")
