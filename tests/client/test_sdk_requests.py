"""What each method asks for, and that both clients have the same methods."""

import inspect
import subprocess
import sys
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from lastword_client import AsyncLastwordClient, LastwordClient

from tests.client.wire import CLOSURE, RELATIONSHIP, SENT, Wire, answer, result_of

TURN = {"message_id": "m1", "duplicate": False, "status": "OK"}
STEP = {"step_id": "s1", "decision": {"should_continue": True}}
HANDOFF = {"id": "h1", "status": "waiting"}


@dataclass(frozen=True)
class Call:
    """A method's arguments, the answer it gets, and what it must have asked for."""

    method: str
    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    document: Any
    line: str
    body: Any


CALLS = [
    Call("get_relationship", ("r1",), {}, RELATIONSHIP, "GET /relationships/r1", None),
    Call(
        "send_intent",
        ("r1", "advice", {"a": 1}),
        {"sender": "bank", "humotica": "Bank calls"},
        SENT,
        "POST /relationships/r1/intents",
        {"sender": "bank", "intent": "advice", "context": {"a": 1}, "humotica": "Bank calls"},
    ),
    Call(
        "send_response",
        ("r1", "accepted", {}),
        {"sender": "customer"},
        SENT,
        "POST /relationships/r1/responses",
        {"sender": "customer", "response": "accepted", "context": {}},
    ),
    Call(
        "close_conversation",
        ("r1", "completed", "All done"),
        {},
        CLOSURE,
        "POST /relationships/r1/close",
        {"closure_type": "completed", "summary": "All done"},
    ),
    Call("create_followup_conversation", ("r1",), {}, RELATIONSHIP, "POST /relationships/r1/followups", {}),
    Call("lineage", ("r1",), {}, {"results": [RELATIONSHIP]}, "GET /relationships/r1/lineage", None),
    Call(
        "rate",
        ("r1", 5, "Kind"),
        {},
        {"score": 5},
        "POST /relationships/r1/rating",
        {"score": 5, "comment": "Kind"},
    ),
    Call(
        "take_turn",
        ("r1", "hello"),
        {"message_id": "m1", "facts": {}},
        TURN,
        "POST /relationships/r1/turns",
        {"message_id": "m1", "text": "hello", "facts": {}},
    ),
    Call(
        "post_step",
        ("r1", "search", {"q": "x"}),
        {"step_id": "s1", "response": "none", "finish_reason": "stop"},
        STEP,
        "POST /relationships/r1/steps",
        {
            "step_id": "s1",
            "operation": "search",
            "parameters": {"q": "x"},
            "response": "none",
            "finish_reason": "stop",
        },
    ),
    Call("request_handoff", ("r1", "angry"), {}, HANDOFF, "POST /relationships/r1/handoff", {"reason": "angry"}),
    Call("sweep", (), {}, {"expired": 3}, "POST /sweep", {}),
]


@pytest.mark.parametrize("call", CALLS, ids=lambda call: call.method)
async def test_a_method_asks_for_exactly_its_call(wire: Wire, call: Call) -> None:
    await result_of(getattr(wire.client(answer(call.document)), call.method)(*call.args, **call.kwargs))
    (request,) = wire.requests
    method, path = call.line.split()
    assert (request.method, request.url.path) == (method, f"/api/v1{path}")
    assert request.headers["Authorization"] == "Bearer secret"
    assert bool(request.headers.get("Idempotency-Key")) is (method == "POST")
    if call.body is not None:
        assert wire.bodies == [call.body]


def test_both_clients_have_the_same_methods_with_the_same_arguments() -> None:
    def shape(client: type) -> dict[str, list[str]]:
        methods = {name: member for name, member in vars(client).items() if not name.startswith("_")}
        return {name: list(inspect.signature(member).parameters) for name, member in methods.items()}

    assert shape(LastwordClient) == shape(AsyncLastwordClient)
    assert len(shape(LastwordClient)) == 18


async def test_an_id_is_one_segment_of_the_path(wire: Wire) -> None:
    await result_of(wire.client(answer(RELATIONSHIP)).get_relationship("../sweep?x=1"))
    assert wire.requests[0].url.raw_path == b"/api/v1/relationships/..%2Fsweep%3Fx%3D1"


async def test_health_is_asked_at_the_root(wire: Wire) -> None:
    assert (await result_of(wire.client(answer({"status": "ok"})).health()))["status"] == "ok"
    assert wire.requests[0].url.path == "/healthz"


async def test_a_view_speaks_for_its_participant_unless_another_is_named(wire: Wire) -> None:
    client = wire.client(*[answer(SENT, 201) for _ in range(3)])
    bank = client.as_participant("bank")
    await result_of(bank.send_intent("r1", "advice"))
    await result_of(bank.send_intent("r1", "advice", sender="other"))
    await result_of(client.send_intent("r1", "advice"))
    assert [body.get("sender") for body in wire.bodies] == ["bank", "other", None]
    assert bank.receipts is client.receipts


START = datetime(2026, 1, 1, 14, 30, tzinfo=UTC)
WINDOW = {"start": "2026-01-01T14:30:00Z", "end": "2026-01-01T15:00:00Z"}


@pytest.mark.parametrize(
    "terms",
    [
        {"appointment": WINDOW},
        {"appointment": {"start": START, "end": START + timedelta(minutes=30)}, "appointment_based": True},
        {"appointment_start": WINDOW["start"], "appointment_end": WINDOW["end"], "appointment_based": True},
        # the seed's `datetime.utcnow()`, and another zone
        {
            "appointment_start": START.replace(tzinfo=None),
            "appointment_end": datetime(2026, 1, 1, 16, tzinfo=timezone(timedelta(hours=1))),
        },
    ],
)
async def test_an_appointment_is_given_whole_or_by_start_and_end(wire: Wire, terms: dict[str, Any]) -> None:
    await result_of(wire.client(answer(RELATIONSHIP, 201)).init_relationship("bank", "customer", **terms))
    assert wire.bodies == [{"initiator": "bank", "responder": "customer", "appointment": WINDOW}]


@pytest.mark.parametrize(
    "terms",
    [
        {"appointment_based": True},
        {"appointment_based": False, "appointment": WINDOW},
        {"appointment": WINDOW, "appointment_start": START},
    ],
)
async def test_contradictory_appointments_are_refused_before_anything_is_sent(
    wire: Wire, terms: dict[str, Any]
) -> None:
    with pytest.raises(ValueError, match="appointment"):
        await result_of(wire.client().init_relationship("bank", "customer", **terms))
    assert wire.requests == []


async def test_every_term_of_a_relationship_is_sent(wire: Wire) -> None:
    terms = {
        "roles": {"bank": "adviser"},
        "context": {"case": 7},
        "humotica": "A mortgage",
        "level": 2,
        "max_depth": 3,
        "driver": "flow",
        "flow": "intake",
    }
    client = wire.client(answer(RELATIONSHIP, 201))
    await result_of(client.init_relationship("bank", "customer", timebox_hours=Decimal("0.5"), **terms))
    assert wire.bodies == [{"initiator": "bank", "responder": "customer", "timebox_hours": 0.5, **terms}]


async def test_a_number_json_does_not_have_is_refused_before_anything_is_sent(wire: Wire) -> None:
    with pytest.raises(ValueError, match="JSON"):
        await result_of(wire.client().send_intent("r1", "advice", {"rate": float("nan")}))
    assert wire.requests == []


async def test_a_list_is_read_to_its_last_page(wire: Wire) -> None:
    pages = [
        answer({"results": [RELATIONSHIP, RELATIONSHIP | {"id": "r2"}], "next": "c1"}),
        answer({"results": [], "next": "c2"}),
        answer({"results": [RELATIONSHIP | {"id": "r3"}], "next": None}),
    ]
    found = await result_of(wire.client(*pages).list_relationships(state="active", limit=2))
    assert [relationship.id for relationship in found] == ["r1", "r2", "r3"]
    assert [dict(request.url.params) for request in wire.requests] == [
        {"state": "active", "limit": "2"},
        {"state": "active", "limit": "2", "cursor": "c1"},
        {"state": "active", "limit": "2", "cursor": "c2"},
    ]


async def test_events_are_read_up_to_the_head(wire: Wire) -> None:
    first, second, third = ({"seq": seq, "type": "intent", "hash": f"h{seq}"} for seq in (1, 2, 3))
    head = {"seq": 3, "hash": "h3"}
    pages = [answer({"results": [first, second], "head": head}), answer({"results": [third], "head": head})]
    found = await result_of(wire.client(*pages).events("r1"))
    assert [event.seq for event in found] == [1, 2, 3]
    assert [request.url.params["after_seq"] for request in wire.requests] == ["0", "2"]


async def test_what_a_newer_server_adds_is_kept(wire: Wire) -> None:
    relationship = await result_of(wire.client(answer(RELATIONSHIP | {"mood": "calm"})).get_relationship("r1"))
    assert relationship.raw["mood"] == relationship["mood"] == "calm"
    with pytest.raises(AttributeError):
        relationship.id = "other"


async def test_an_agent_in_doubt_stops(wire: Wire) -> None:
    silent = await result_of(wire.client(answer({"step_id": "s1"})).post_step("r1", "search"))
    assert silent.should_continue is False


def test_the_client_needs_no_django() -> None:
    program = "import sys, lastword_client; print([name for name in sys.modules if name.split('.')[0] == 'django'])"
    folder = Path(__file__).resolve().parents[2] / "client"
    done = subprocess.run([sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
