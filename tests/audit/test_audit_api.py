"""`/relationships/{id}/verify`, `/export`, `/audit/checkpoints`, `/audit/verify`."""

from pathlib import Path
from uuid import uuid4

import pytest
from verify_bundle import problems

from conversations.models import Event
from tests.cast import Actor, actor_for, refused
from tests.ledger import forger
from tests.ledger.cast import checkpoint, conversation

pytestmark = pytest.mark.django_db


@pytest.fixture
def auditor() -> Actor:
    return actor_for("auditor")


def test_a_sound_conversation_verifies(auditor: Actor) -> None:
    relationship = conversation(close=True)
    answer = auditor.get(f"/relationships/{relationship.pk}/verify")
    assert answer.status_code == 200
    assert answer.json() == {
        "ok": True,
        "events": 6,
        "head": {"seq": 6, "hash": relationship.head_hash},
        "first_bad_seq": None,
        "reason": None,
    }


def test_a_broken_conversation_names_its_first_broken_event(auditor: Actor) -> None:
    relationship = conversation()
    forger.edit_payload(Event.objects.get(relationship=relationship, seq=3), '{"context":{"forged":true}}')
    told = auditor.get(f"/relationships/{relationship.pk}/verify").json()
    assert (told["ok"], told["first_bad_seq"], told["reason"]) == (False, 3, "payload_differs")


def test_the_whole_ledger_verifies_and_names_what_is_broken(auditor: Actor) -> None:
    relationship = conversation()
    checkpoint()
    assert auditor.get("/audit/verify").json() == {
        "ok": True,
        "relationships": 1,
        "events": 5,
        "leaves": 5,
        "checkpoints": 2,
        "first_bad": None,
        "unchecked": [],
    }
    forger.edit_payload(Event.objects.get(relationship=relationship, seq=2), "{}")
    told = auditor.get("/audit/verify").json()
    assert told["ok"] is False
    assert told["first_bad"]["relationship"] == str(relationship.pk)
    assert (told["first_bad"]["seq"], told["first_bad"]["reason"]) == (2, "payload_differs")


def test_an_outside_record_that_is_gone_is_no_all_clear(auditor: Actor, outside_record: Path) -> None:
    relationship = conversation()
    checkpoint()
    outside_record.unlink()
    told = auditor.get(f"/relationships/{relationship.pk}/verify").json()
    assert (told["ok"], told["reason"]) == (False, "not_checked")


def test_an_export_is_a_bundle_that_verifies(auditor: Actor) -> None:
    relationship = conversation(close=True)
    answer = auditor.get(f"/relationships/{relationship.pk}/export")
    assert (answer.status_code, answer["Content-Type"]) == (200, "application/zip")
    assert f"lastword-{relationship.pk}.zip" in answer["Content-Disposition"]
    assert problems(answer.content) == []


def test_an_export_of_a_log_that_was_rolled_back_is_refused_not_signed(auditor: Actor) -> None:
    relationship = conversation()
    checkpoint()
    forger.recommit(Event.objects.get(relationship=relationship, seq=5), "{}")
    forger.rechain(relationship.pk)
    forger.regrow()
    answer = auditor.get(f"/relationships/{relationship.pk}/export")
    refused(answer, 409, "ledger_forked")


def test_checkpoints_come_newest_first_by_cursor(auditor: Actor) -> None:
    sizes = []
    for _ in range(3):
        conversation(exchanges=0)
        sizes.append(checkpoint().size)
    first = auditor.get("/audit/checkpoints", limit=2).json()
    assert [one["size"] for one in first["results"]] == sizes[:0:-1]
    assert set(first["results"][0]) == {"size", "root", "note", "key_id", "created_at"}
    rest = auditor.get("/audit/checkpoints", limit=2, cursor=first["next"]).json()
    assert ([one["size"] for one in rest["results"]], rest["next"]) == (sizes[:1], None)


PATHS = ["relationships/{id}/verify", "relationships/{id}/export", "audit/checkpoints", "audit/verify"]


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    ("role", "status"),
    [("router", 200), ("operator", 200), ("auditor", 200), ("editor", 403), ("participant", 403)],
)
def test_who_may_audit(path: str, role: str, status: int) -> None:
    relationship = conversation(exchanges=0)
    if role == "operator" and path.startswith("audit/"):
        status = 403  # an operator reads conversations; the whole log is for routers and auditors
    answer = actor_for(role, "did:ada" if role == "participant" else None).get(f"/{path.format(id=relationship.pk)}")
    assert answer.status_code == status


@pytest.mark.parametrize("path", PATHS)
def test_nobody_audits_without_a_key(path: str) -> None:
    assert Actor().get(f"/{path.format(id=uuid4())}").status_code == 401


@pytest.mark.parametrize("path", PATHS[:2])
def test_an_unknown_conversation_is_not_found(auditor: Actor, path: str) -> None:
    answer = auditor.get(f"/{path.format(id=uuid4())}")
    refused(answer, 404, "not_found")
