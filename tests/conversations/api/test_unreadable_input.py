"""What nobody can read in one way is refused with a field and a code, and leaves nothing behind."""

import gzip
import json
from uuid import uuid4

import pytest
from django.conf import settings

from tests.cast import Actor, Opens, accepted, refused
from tests.invariants import snapshot

pytestmark = pytest.mark.django_db

OPENING = '"initiator": "bank", "responder": "customer"'


def nested(depth: int) -> str:
    return "[" * depth + "]" * depth


@pytest.mark.parametrize(
    ("raw", "status", "code"),
    [
        ("{", 400, "malformed_json"),
        ("", 422, "required"),
        ("not json", 400, "malformed_json"),
        (b"\xff\xfe", 400, "malformed_json"),
        (b'{"initiator": "\xc3"}', 400, "malformed_json"),
        ('{"initiator": "a\x00b"}', 400, "malformed_json"),
        ('{"a": 1,}', 400, "malformed_json"),
        ("{} {}", 400, "malformed_json"),
        ('{"context": ' + "1" * 5000 + "}", 422, "number_out_of_range"),
        (f'{{{OPENING}, "initiator": "bank"}}', 422, "duplicate_key"),
        ('{"\\ud800": 1, "\\ud800": 2}', 422, "duplicate_key"),
        (f'{{{OPENING}, "context": {{"a": 1, "a": 2}}}}', 422, "duplicate_key"),
        (f'{{{OPENING}, "timebox_hours": NaN}}', 422, "not_a_number"),
        (f'{{{OPENING}, "timebox_hours": -Infinity}}', 422, "not_a_number"),
        (f'{{{OPENING}, "timebox_hours": 1e999}}', 422, "number_out_of_range"),
        (f'{{{OPENING}, "context": {{"a": 1e20}}}}', 422, "number_out_of_range"),
        (f'{{{OPENING}, "context": {{"a": 9007199254740993}}}}', 422, "not_canonical"),
        (f'{{{OPENING}, "humotica": "\\ud800"}}', 422, "lone_surrogate"),
        (f'{{{OPENING}, "context": {{"\\udfff": 1}}}}', 422, "lone_surrogate"),
        (f'{{{OPENING}, "humotica": "a\\u0000b"}}', 422, "nul_character"),
        (f'{{{OPENING}, "context": {{"a\\u0000": 1}}}}', 422, "nul_character"),
        (f'{{{OPENING}, "context": {{"a": {nested(31)}}}}}', 422, "too_deep"),
        (nested(100_000), 422, "too_deep"),
        ("[]", 422, "wrong_type"),
        ('"text"', 422, "wrong_type"),
        ("null", 422, "wrong_type"),
        ("7", 422, "wrong_type"),
    ],
)
def test_an_unreadable_body_is_named_and_nothing_is_written(
    router: Actor, raw: str | bytes, status: int, code: str
) -> None:
    before = snapshot()
    answer = router.send("/relationships", raw)
    assert answer.status_code == status
    assert answer.json()["errors"][0]["code"] == code
    assert snapshot() == before


def test_what_is_only_unusual_is_taken(router: Actor) -> None:
    context = f'{{"a": {nested(30)}, "float": 12.5, "emoji": "\\ud83d\\ude00", "": "empty key", "ключ": -0.0}}'
    made = accepted(router.send("/relationships", f'{{{OPENING}, "context": {context}}}'), 201)
    assert made["context"]["emoji"] == "😀"
    assert made["context"]["float"] == 12.5


def test_a_body_of_the_limit_passes_and_one_byte_more_does_not(router: Actor) -> None:
    limit = settings.LASTWORD_BODY_LIMIT
    around = len(f'{{{OPENING}, "context": {{"a": ""}}}}')
    before = snapshot()
    raw = f'{{{OPENING}, "context": {{"a": "{"x" * (limit - around + 1)}"}}}}'
    problem = refused(router.send("/relationships", raw), 413, "body_too_large")
    assert problem["limit"] == limit
    assert snapshot() == before
    refused(router.send("/relationships", raw, Idempotency_Key="big"), 413, "body_too_large")
    accepted(router.send("/relationships", raw.replace("xx", "x", 1)), 201)


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", "x"])
def test_only_json_is_read(router: Actor, content_type: str) -> None:
    before = snapshot()
    refused(router.send("/relationships", "{}", content_type=content_type), 415, "unsupported_media_type")
    assert snapshot() == before


@pytest.mark.parametrize("what", ["", "/events", "/lineage"])
def test_an_unknown_relationship_is_not_found(router: Actor, what: str) -> None:
    refused(router.get(f"/relationships/{uuid4()}{what}"), 404, "not_found")


@pytest.mark.parametrize(
    ("what", "body"),
    [
        ("intents", {"sender": "bank", "intent": "x"}),
        ("responses", {"sender": "bank", "response": "x"}),
        ("close", {"closure_type": "completed"}),
        ("followups", {}),
        ("rating", {"score": 3}),
    ],
)
def test_nothing_can_be_done_to_an_unknown_relationship(router: Actor, what: str, body: dict[str, object]) -> None:
    refused(router.post(f"/relationships/{uuid4()}/{what}", body), 404, "not_found")


@pytest.mark.parametrize("path", ["/relationships/", "/relationships/7", "/relationships/x/intents", "/nothing", "/"])
def test_an_unknown_address_is_not_found_in_json(router: Actor, path: str) -> None:
    refused(router.get(path), 404, "not_found")
    refused(router.post(path), 404, "not_found")


@pytest.mark.parametrize("method", ["PUT", "PATCH", "DELETE", "POST", "TRACE"])
def test_a_method_nobody_offers_is_named(router: Actor, opened: Opens, method: str) -> None:
    refused(router.call(method, opened()), 405, "method_not_allowed")


def test_a_page_for_people_is_never_sent(router: Actor, opened: Opens) -> None:
    answer = router.call("GET", opened(), headers={"Accept": "text/html"})
    assert answer.headers["Content-Type"] == "application/problem+json"
    refused(answer, 406, "not_acceptable")


@pytest.mark.parametrize("after", ["x", "-1", "1.5", "9" * 12, "١"])
def test_a_sequence_number_is_a_number(router: Actor, opened: Opens, after: str) -> None:
    problem = refused(router.get(f"{opened()}/events", after_seq=after), 422, "invalid")
    assert problem["errors"][0]["field"] == "after_seq"


def test_a_refusal_shows_nothing_of_the_inside(router: Actor, opened: Opens, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object, **__: object) -> None:
        raise RuntimeError("the password is swordfish")

    monkeypatch.setattr("conversations.api.relationships.relationship_for", fails)
    answer = router.client.get(f"/api/v1{opened()}", headers={"Authorization": f"Bearer {router.key}"})
    assert answer.status_code == 500
    assert answer.json()["code"] == "internal_error"
    assert "swordfish" not in json.dumps(answer.json())


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"humotica": "\0"}, "humotica"),
        ({"context": {"a": [1, {"b": "\ud800"}]}}, "context.a.1.b"),
        ({"appointment": {"subject": "\0"}}, "appointment.subject"),
    ],
)
def test_a_text_nothing_can_store_is_named_by_its_field(router: Actor, body: dict[str, object], field: str) -> None:
    answer = router.post("/relationships", {"initiator": "bank", "responder": "customer", **body})
    assert refused(answer, 422, "invalid")["errors"][0]["field"] == field


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-1e20", "1" * 5000, "9007199254740993"])
@pytest.mark.parametrize(
    ("body", "field"),
    [
        ('{{{opening}, "context": {{"ok": 1, "a": [0.5, {{"b": {number}}}]}}}}', "context.a.1.b"),
        ('{{{opening}, "context": {{"big": {number}}}, "humotica": "x"}}', "context.big"),
        ('{{{opening}, "roles": {{"bank": [{number}]}}}}', "roles.bank.0"),
    ],
)
def test_a_number_that_cannot_be_one_is_named_by_its_field(router: Actor, number: str, body: str, field: str) -> None:
    before = snapshot()
    answer = router.send("/relationships", body.format(opening=OPENING, number=number))
    assert refused(answer, 422, "invalid")["errors"][0]["field"] == field
    assert snapshot() == before


def test_a_steps_parameters_are_named_as_they_were_sent(router: Actor, opened: Opens) -> None:
    path = opened(driver="workflow")
    step = {"step_id": "1", "operation": "search", "parameters": {"ids": [1, 2**60]}}
    answer = router.post(f"{path}/steps", step)
    assert refused(answer, 422, "invalid")["errors"][0]["field"] == "parameters.ids.1"


def test_a_compressed_body_is_refused_as_such(router: Actor) -> None:
    body = gzip.compress(b'{"initiator": "bank", "responder": "customer"}')
    refused(router.send("/relationships", body, Content_Encoding="gzip"), 415, "unsupported_media_type")


def test_a_misspelt_filter_is_refused_instead_of_answering_with_everything(router: Actor, opened: Opens) -> None:
    opened()
    assert refused(router.get("/relationships", stat="closed"), 422, "invalid")["errors"][0]["field"] == "stat"


def test_a_refusal_is_json_also_where_answers_are_a_page(nobody: Actor) -> None:
    refused(nobody.post("/docs"), 405, "method_not_allowed")
    refused(nobody.call("GET", "/docs", headers={"Accept": "application/xml"}), 406, "not_acceptable")


def test_whoever_may_use_an_address_may_ask_what_it_offers(router: Actor, editor: Actor, opened: Opens) -> None:
    path = f"{opened()}/intents"
    answer = router.call("OPTIONS", path)
    assert accepted(answer)
    assert answer.headers["Allow"] == "POST, OPTIONS"
    refused(editor.call("OPTIONS", path), 403, "forbidden")


def test_an_appointment_long_ago_is_kept_as_it_is(router: Actor) -> None:
    """A year of three digits was once written as such, and nobody could read it back."""
    window = {"start": "0158-05-22T16:55:37Z", "end": "0714-04-29T02:53:44Z"}
    terms = {"initiator": "bank", "responder": "customer", "appointment": window}
    kept = accepted(router.post("/relationships", terms), 201)["appointment"]
    assert (kept["start"], kept["end"]) == ("0158-05-22T16:55:37.000000Z", "0714-04-29T02:53:44.000000Z")
