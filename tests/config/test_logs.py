"""Log lines name requests and conversations, and nobody."""

import hmac
import json
import logging
import re
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any
from uuid import UUID, uuid4

import pytest
import structlog
from celery import Celery
from django.db import transaction
from django.test import Client

from config.celery import app
from config.exposition import of_the_processes
from config.logs import WithoutPersonalData, json_formatter
from config.middleware.request_log import RequestLogMiddleware
from config.serve import options
from config.socket_log import SocketLog
from conversations.access import ConsoleRole
from conversations.models import AccessLog
from conversations.selectors.relationships import locked
from conversations.services.channels import ChannelTerms, create_channel
from conversations.tasks import sweep_expired, work_deliveries
from tests.cast import Actor, Opens
from tests.console.conftest import sign_in

CANARY = "canary-alice@example.org"


def rendered(record: logging.LogRecord) -> dict[str, Any]:
    assert WithoutPersonalData().filter(record)
    line: dict[str, Any] = json.loads(json_formatter().format(record))
    return line


def record(name: str, message: str, *args: Any, error: BaseException | None = None, **extra: Any) -> Any:
    info = (type(error), error, error.__traceback__) if error else None
    made = logging.LogRecord(name, logging.ERROR, __file__, 1, message, args, info)
    made.__dict__.update(extra)
    return made


def test_an_exception_is_logged_by_type_and_place_without_its_text() -> None:
    try:
        try:
            raise KeyError(CANARY)
        except KeyError as cause:
            raise ValueError(f"no {CANARY}") from cause
    except ValueError as error:
        line = rendered(record("x", "it broke", error=error))
    assert [part["type"] for part in line["exception"]] == ["builtins.ValueError", "builtins.KeyError"]
    assert "test_logs.py" in line["exception"][0]["at"][0]
    assert CANARY not in json.dumps(line)


def test_djangos_error_line_names_the_route_and_not_the_address() -> None:
    request = SimpleNamespace(
        path=f"/api/v1/threads/{CANARY}", resolver_match=SimpleNamespace(route="api/v1/threads/<key>")
    )
    line = rendered(record("django.request", "%s: %s", "Internal Server Error", request.path, request=request))
    assert line["event"] == "Internal Server Error: /api/v1/threads/<key>"
    assert CANARY not in json.dumps(line)


def test_a_failed_task_is_named_without_what_it_raised() -> None:
    made = record("celery.app.trace", "Task %(name)s[%(id)s] raised: %(exc)s")
    made.args = {"name": "conversations.sweep", "id": "7", "exc": f"ValueError({CANARY!r})"}
    line = rendered(made)
    assert line["event"] == "task conversations.sweep[7] failed"
    assert CANARY not in json.dumps(line)


def test_unknown_extra_fields_are_dropped() -> None:
    line = rendered(record("x", "hello", status_code=500, visitor=CANARY))
    assert line["status_code"] == 500
    assert CANARY not in json.dumps(line)


def test_a_request_binds_its_ids_and_lets_go_of_them(rf: Any) -> None:
    seen: dict[str, Any] = {}
    structlog.contextvars.clear_contextvars()  # services called without a request leave their conversation behind

    def view(request: Any) -> dict[str, str]:
        middleware.process_view(request, view, (), {"relationship_id": "r-1"})
        seen.update(structlog.contextvars.get_contextvars())
        return Answer()

    class Answer(dict[str, str]):
        status_code = 200

    middleware = RequestLogMiddleware(view)  # type: ignore[arg-type]
    answer = middleware(rf.get("/x", headers={"X-Request-ID": "trace-1234"}))
    assert seen == {"request_id": "trace-1234", "relationship_id": "r-1"}
    assert answer["X-Request-ID"] == "trace-1234"
    assert structlog.contextvars.get_contextvars() == {}


@pytest.mark.parametrize("name", ["uvicorn.error", "uvicorn.access", "celery.worker.strategy"])
def test_servers_do_not_print_addresses_or_arguments(name: str) -> None:
    assert not logging.getLogger(name).isEnabledFor(logging.INFO)


class Lines:
    """Everything that is logged, as it would be printed."""

    def __init__(self) -> None:
        self.handler = logging.Handler(logging.DEBUG)
        self.handler.setFormatter(json_formatter())
        self.handler.addFilter(WithoutPersonalData())
        self.texts: list[str] = []
        self.handler.emit = lambda record: self.texts.append(self.handler.format(record))  # type: ignore[method-assign]

    def of(self, event: str) -> list[dict[str, Any]]:
        return [line for text in self.texts if (line := json.loads(text))["event"] == event]


@pytest.fixture
def lines() -> Iterator[Lines]:
    structlog.contextvars.clear_contextvars()
    heard, root = Lines(), logging.getLogger()
    level = root.level
    root.addHandler(heard.handler)
    root.setLevel(logging.DEBUG)
    yield heard
    root.removeHandler(heard.handler)
    root.setLevel(level)


def names_nobody(heard: Lines) -> None:
    """Neither the words, nor an address, nor the cookie or key that came with them."""
    for text in heard.texts:
        assert "canary" not in text.lower(), text


@pytest.mark.django_db
def test_a_whole_conversation_leaves_no_word_in_the_log(
    router: Actor, operator: Actor, opened: Opens, lines: Lines
) -> None:
    path = opened(responder=CANARY, humotica=CANARY, context={"name": CANARY}, driver="assistant")
    relationship_id = path.rpartition("/")[2]
    router.post(f"{path}/turns", {"message_id": CANARY, "text": f"find {CANARY}"})
    handed = operator.post(f"{path}/takeover", {"reason": CANARY}).json()
    operator.post(f"/handoffs/{handed['id']}/reply", {"text": CANARY})
    operator.post(f"/handoffs/{handed['id']}/note", {"text": CANARY})
    router.post(f"{path}/rating", {"score": 3, "comment": CANARY})
    router.post(f"/threads/{CANARY}/events", {"event_id": CANARY, "sender": CANARY, "text": CANARY, "bot_id": "B"})
    router.post(f"{path}/turns", {"message_id": [CANARY]})
    router.get("/relationships", q=CANARY, party=CANARY)
    router.get(f"/{CANARY}")
    told = [line for line in lines.of("request") if line["relationship_id"] == relationship_id]
    assert len(told) >= 3
    assert all(line["request_id"] for line in lines.of("request"))
    names_nobody(lines)


@pytest.mark.django_db
def test_an_unforeseen_error_is_logged_without_what_it_was_about(
    router: Actor, opened: Opens, lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = opened()

    def breaks(*args: Any, **kwargs: Any) -> None:
        raise RuntimeError(f"row of {CANARY} is torn")

    monkeypatch.setattr("conversations.api.relationships.rate_conversation", breaks)
    answer = router.client.post(
        f"/api/v1{path}/rating",
        {"score": 3, "comment": CANARY},
        content_type="application/json",
        headers={"Authorization": f"Bearer {router.key}"},
    )
    assert answer.status_code == 500
    assert CANARY not in answer.content.decode()
    [line] = lines.of("unforeseen_error")
    assert line["exception"][0]["type"] == "builtins.RuntimeError"
    assert line["relationship_id"] == path.rpartition("/")[2]
    names_nobody(lines)


@pytest.mark.django_db
@pytest.mark.parametrize("signed", [True, False])
def test_a_webhook_and_its_working_leave_no_word_in_the_log(lines: Lines, signed: bool) -> None:
    terms = ChannelTerms(kind="slack", name="desk", secret="s" * 32, token=CANARY, driver="assistant")
    channel = create_channel(terms=terms)
    body = json.dumps({"type": "event_callback", "event_id": CANARY, "event": {"type": "message", "text": CANARY,
                       "user": CANARY, "channel": CANARY, "ts": "1.0"}}).encode()  # fmt: skip
    now = str(int(time.time()))
    digest = hmac.new(b"s" * 32, b"v0:" + now.encode() + b":" + body, "sha256").hexdigest()
    headers = {"X-Slack-Request-Timestamp": now, "X-Slack-Signature": f"v0={digest if signed else CANARY}"}
    Client().post(channel.webhook_path, body, content_type="application/json", headers=headers)
    assert lines.of("request")[0]["status"] == (200 if signed else 401)
    work_deliveries.apply()
    assert lines.of("task")[0]["task"] == "conversations.work_deliveries"
    names_nobody(lines)


@pytest.mark.django_db
def test_a_task_is_logged_under_the_request_that_caused_it(lines: Lines) -> None:
    sweep_expired.apply(headers={"request_id": "trace-1234"})
    sweep_expired.apply(task_id="task-5678")
    assert [(line["request_id"], line["outcome"]) for line in lines.of("task")] == [
        ("trace-1234", "done"),
        ("task-5678", "done"),
    ]


def test_a_request_gives_its_id_to_the_tasks_it_asks_for(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[dict[str, Any]] = []
    monkeypatch.setattr(Celery, "send_task", lambda self, name, *args, **options: sent.append(options))
    with structlog.contextvars.bound_contextvars(request_id="trace-1234"):
        app.send_task("conversations.relay_outbox", expires=5)
    app.send_task("conversations.relay_outbox")
    assert sent == [{"expires": 5, "headers": {"request_id": "trace-1234"}}, {}]


@pytest.mark.django_db
def test_a_failing_task_names_its_conversation_and_not_its_error(
    opened: Opens, lines: Lines, monkeypatch: pytest.MonkeyPatch
) -> None:
    relationship_id = opened().rpartition("/")[2]

    def breaks() -> None:
        with transaction.atomic():
            locked(UUID(relationship_id))
            logging.getLogger("conversations.anything").warning("it broke")
            raise RuntimeError(CANARY)

    monkeypatch.setattr("conversations.services.sweeping.sweep_expired", breaks)
    assert sweep_expired.apply().failed()
    assert lines.of("it broke")[0]["relationship_id"] == relationship_id
    assert lines.of("task")[0]["outcome"] == "failed"
    names_nobody(lines)
    assert structlog.contextvars.get_contextvars().get("relationship_id") is None


@pytest.mark.django_db
def test_what_an_auditor_searches_for_is_nowhere_but_in_the_answer(lines: Lines) -> None:
    """Neither in the log, nor in the figures, nor in the record of what was looked at, which outlives every payload."""
    audrey = sign_in("audrey", ConsoleRole.AUDITOR)
    for query in ({"q": CANARY}, {"q": CANARY.upper()}, {"party": CANARY}, {"actor": CANARY}, {"nonsense": CANARY}):
        assert audrey.get("/admin/console/audit", query).status_code in (200, 422)
    assert audrey.get("/admin/console/live", {"q": CANARY}).status_code == 200
    assert len(lines.of("request")) == 6
    names_nobody(lines)
    looks = list(AccessLog.objects.filter(what="search").order_by("pk").values_list("about", flat=True))
    assert len(looks) == 3, "the same words again are the same look"
    assert not [about for about in AccessLog.objects.values_list("about", flat=True) if "canary" in about.lower()]
    assert all(re.fullmatch(r"(q|party|actor)=#[0-9a-f]{16}", about) for about in looks)
    assert "canary" not in of_the_processes().decode().lower()


def test_uvicorn_prints_no_addresses() -> None:
    assert options()["access_log"] is False


async def test_a_socket_is_logged_by_its_kind_and_conversation(lines: Lines) -> None:
    relationship_id = str(uuid4())

    async def refuses(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "websocket.close", "code": 4401})

    async def nothing(message: Any = None) -> None:
        return None

    for path in (f"/ws/relationships/{relationship_id}", f"/ws/{CANARY}"):
        scope = {
            "path": path,
            "query_string": f"ticket={CANARY}".encode(),
            "headers": [(b"x-request-id", b"trace-1234")],
        }
        await SocketLog(refuses)(scope, nothing, nothing)
    known, unknown = lines.of("socket")
    assert (known["route"], known["relationship_id"], known["code"], known["request_id"]) == (
        "/ws/relationships/<uuid:relationship_id>",
        relationship_id,
        4401,
        "trace-1234",
    )
    assert (unknown["route"], unknown["relationship_id"]) == ("(no route)", None)
    names_nobody(lines)
