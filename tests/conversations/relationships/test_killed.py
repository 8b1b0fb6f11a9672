"""kill -9 before and after every single statement of a message: nothing acknowledged is lost, nothing happens twice."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

from audit.services.checkpoints import make_checkpoint
from audit.services.invariants import violations
from conversations.models import Event, IdempotencyRecord
from conversations.services import outbox
from conversations.services.relay import relay
from tests.cast import Actor, Opens, accepted
from tests.killing import die, every_point, killed

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize(
    ("address", "body", "type_"),
    [
        ("intents", {"sender": "bank", "intent": "ask", "humotica": "why"}, "intent"),
        ("close", {"closure_type": "completed"}, "conversation_closure"),
    ],
)
def test_killed_at_any_statement_a_retry_has_exactly_one_effect(
    router: Actor, opened: Opens, address: str, body: dict[str, Any], type_: str
) -> None:
    """Every try of a caller who never heard back carries the same key, as the SDK sends it."""
    paths: list[str] = [opened()]

    def act(number: int) -> None:
        router.post(f"{paths[-1]}/{address}", body, Idempotency_Key=f"key of {paths[-1]}")

    for _ in every_point(act):
        answer = accepted(
            router.post(f"{paths[-1]}/{address}", body, Idempotency_Key=f"key of {paths[-1]}"), answered(type_)
        )
        receipt = answer.get("event", answer)
        chain = accepted(router.get(f"{paths[-1]}/events"))["results"]
        assert [event["seq"] for event in chain if event["type"] == type_] == [receipt["seq"]]
        assert chain[-1]["hash"] == receipt["hash"]
        paths.append(opened())
    relay()
    make_checkpoint(now=Event.objects.latest("pk").at)
    assert violations(drained=True) == []
    assert not IdempotencyRecord.objects.filter(status=0).exists()


def answered(type_: str) -> int:
    return 201 if type_ == "intent" else 200


def test_killed_after_the_commit_the_event_stands_and_the_outbox_has_it(router: Actor, opened: Opens) -> None:
    """Between the commit and the answer: the caller heard nothing, and a retry gets the stored answer."""
    path, body = opened(), {"sender": "bank", "intent": "ask"}

    def work() -> None:
        outbox.wake_relay = die
        router.post(f"{path}/intents", body, Idempotency_Key="once")

    killed(work)
    assert Event.objects.filter(type="intent").count() == 1
    answer = router.post(f"{path}/intents", body, Idempotency_Key="once")
    assert answer.headers["Idempotent-Replayed"] == "true"
    assert Event.objects.filter(type="intent").count() == 1
    assert relay() == 2
    assert violations(drained=True) == []


def test_the_wrapper_sees_the_statements_of_the_hot_path(router: Actor, opened: Opens) -> None:
    """The kills above would prove nothing where a statement went past the wrapper."""
    path, seen = opened(), []

    def note(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
        assert isinstance(context["connection"], BaseDatabaseWrapper)
        seen.append(sql.split(maxsplit=1)[0])
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        accepted(router.post(f"{path}/intents", {"sender": "bank", "intent": "ask", "humotica": "why"}), 201)
    assert seen.count("INSERT") == 4
    assert seen.count("UPDATE") == 1
