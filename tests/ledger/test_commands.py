"""`audit_verify` and `check_invariants` say by their exit status what they found."""

import json
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import DatabaseError

from audit.management.commands import audit_verify
from audit.services.invariants import violations
from conversations.models import Event, IdempotencyRecord, OutboxMessage, Relationship
from tests.ledger import forger
from tests.ledger.cast import checkpoint, conversation, say

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> tuple[int, str]:
    out, err = StringIO(), StringIO()
    with pytest.raises(SystemExit) as left:
        call_command(*arguments, stdout=out, stderr=err)
    return int(left.value.code or 0), out.getvalue() + err.getvalue()


def test_a_sound_ledger_exits_with_0() -> None:
    relationship = conversation()
    size = checkpoint().size
    assert run("audit_verify") == (
        0,
        "5 events of 1 relationships, 5 leaves, 2 checkpoints, 0 receipts\nsound\n",
    )
    assert run("audit_verify", "--relationship", str(relationship.pk))[0] == 0
    assert run("audit_verify", "--since-checkpoint", str(size))[0] == 0


def test_tampering_exits_with_1_and_names_the_first_broken_event() -> None:
    relationship = conversation()
    forger.edit_payload(Event.objects.get(relationship=relationship, seq=3), "{}")
    status, told = run("audit_verify")
    assert status == 1
    assert f"TAMPERED relationship {relationship.pk}, event 3: payload_differs" in told


def test_what_cannot_be_checked_exits_with_2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    conversation()
    checkpoint()
    nowhere = str(tmp_path / "nowhere")
    assert run("audit_verify", "--checkpoints", nowhere)[0] == 2
    assert run("audit_verify", "--receipts", nowhere)[0] == 2
    assert run("audit_verify", "--since-checkpoint", "3")[0] == 2
    (tmp_path / "receipts").write_text('{"relationship": 1}\n')
    assert run("audit_verify", "--receipts", str(tmp_path / "receipts"))[0] == 2

    def unreachable(**_: object) -> None:
        raise DatabaseError("no database")

    monkeypatch.setattr(audit_verify, "verify", unreachable)
    assert run("audit_verify") == (2, "could not check: no database\n")


def test_another_copy_of_the_outside_record_can_be_named(outside_record: Path, tmp_path: Path) -> None:
    conversation()
    checkpoint()
    copy = outside_record.rename(tmp_path / "copy.log")
    assert run("audit_verify")[0] == 2
    assert run("audit_verify", "--checkpoints", str(copy))[0] == 0


def test_a_sound_database_keeps_every_invariant(tmp_path: Path) -> None:
    conversation(close=True)
    relationship = conversation()
    checkpoint()
    receipts = tmp_path / "receipts"
    receipts.write_text(
        json.dumps({"relationship": str(relationship.pk), "seq": relationship.head_seq, "hash": relationship.head_hash})
    )
    OutboxMessage.objects.update(delivered_at=relationship.created_at)
    assert violations(receipts=receipts, drained=True) == []


def broken() -> set[str]:
    return {violation.invariant for violation in violations(drained=True)}


def test_each_broken_invariant_is_named(tmp_path: Path) -> None:
    relationship = conversation(close=True)
    OutboxMessage.objects.update(delivered_at=relationship.created_at)
    assert broken() == set()

    Relationship.objects.filter(pk=relationship.pk).update(conversation_depth=0)
    assert broken() == {"I9"}
    Relationship.objects.filter(pk=relationship.pk).update(conversation_depth=2)

    OutboxMessage.objects.filter(event__seq=2).update(delivered_at=None)
    assert broken() == {"I8"}
    OutboxMessage.objects.filter(event__seq=2).delete()
    assert broken() == {"I8"}
    OutboxMessage.objects.create(
        destination="audience",
        event=Event.objects.get(seq=2),
        created_at=relationship.created_at,
        available_at=relationship.created_at,
        delivered_at=relationship.created_at,
    )

    record = IdempotencyRecord.objects.create(caller="x", key="k", fingerprint="f", created_at=relationship.created_at)
    assert broken() == {"I7"}
    record.delete()

    (tmp_path / "receipts").write_text(json.dumps({"relationship": str(relationship.pk), "seq": 2, "hash": "0" * 64}))
    assert {one.invariant for one in violations(receipts=tmp_path / "receipts")} == {"I2"}

    forger.edit_payload(Event.objects.get(seq=2), "{}")
    assert "I1" in broken()


def test_an_intent_after_the_end_or_beyond_the_depth_is_named() -> None:
    relationship = conversation(exchanges=1, close=True)
    say(relationship.pk, "intent", intent="again")
    assert broken() >= {"I4"}
    Relationship.objects.filter(pk=relationship.pk).update(max_depth=1, conversation_depth=1)
    assert "I3" in broken()


def test_an_intent_after_expiry_is_named() -> None:
    relationship = conversation(exchanges=0)
    moment = relationship.expires_at.replace(year=relationship.expires_at.year + 1)
    event = Event.objects.get(pk=Event.objects.filter(relationship=relationship).get().pk)
    say(relationship.pk, "intent", intent="late")
    late = Event.objects.get(relationship=relationship, seq=2)
    forger.edit(late, at=moment)
    forger.rechain(relationship.pk)
    assert "I5" in broken()
    assert event.seq == 1


def test_the_invariants_command_exits_with_1_when_one_is_broken() -> None:
    relationship = conversation()
    call_command("check_invariants", stdout=StringIO())
    Relationship.objects.filter(pk=relationship.pk).update(conversation_depth=0)
    status, told = run("check_invariants")
    assert status == 1
    assert f"VIOLATED I9 {relationship.pk}: conversation_depth is 0" in told
