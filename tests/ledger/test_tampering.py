"""Every way to tamper that the design names is found, and the first broken event is named."""

import json
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from audit.ledger.findings import Finding, Reason
from audit.models import Checkpoint
from audit.services.verification import verify
from conversations.models import Event, EventPayload, Relationship
from tests.ledger import forger
from tests.ledger.cast import checkpoint, conversation
from tests.ledger_guards import ledger_guards_lifted

pytestmark = pytest.mark.django_db

OTHER_WORDS = '{"context":{},"intent":"book_the_palace"}'


@pytest.fixture
def victim() -> Relationship:
    """Seven events, the fourth of which is an intent, among others, all under a published checkpoint."""
    conversation()
    victim = conversation(exchanges=3)
    conversation(close=True)
    checkpoint()
    assert verify().ok
    return victim


def event(relationship: Relationship, seq: int) -> Event:
    return Event.objects.get(relationship=relationship, seq=seq)


def first_finding() -> tuple[Reason, str | None, int | None]:
    finding = verify().first
    assert finding is not None, "tampering went unseen"
    return finding.reason, finding.relationship, finding.seq


def found() -> set[Reason]:
    return {finding.reason for finding in verify().findings}


def test_a_payload_edited(victim: Relationship) -> None:
    forger.edit_payload(event(victim, 4), OTHER_WORDS)
    assert first_finding() == (Reason.PAYLOAD_DIFFERS, str(victim.pk), 4)


def test_a_payload_removed_without_a_word(victim: Relationship) -> None:
    EventPayload.objects.filter(event=event(victim, 4)).delete()
    assert first_finding() == (Reason.PAYLOAD_MISSING, str(victim.pk), 4)


def test_a_header_edited(victim: Relationship) -> None:
    forger.edit(event(victim, 4), header=event(victim, 4).header.replace("intent", "insult"))
    assert first_finding() == (Reason.HEADER_HASH, str(victim.pk), 4)


@pytest.mark.parametrize("columns", [{"type": "insult"}, {"actor": "user:1"}, {"commitment": "0" * 64}])
def test_a_column_edited_beside_its_header(victim: Relationship, columns: dict[str, str]) -> None:
    forger.edit(event(victim, 4), **columns)
    assert first_finding() == (Reason.COLUMNS_DIFFER, str(victim.pk), 4)


def test_a_moment_edited_beside_its_header(victim: Relationship) -> None:
    forger.edit(event(victim, 4), at=event(victim, 3).at.replace(microsecond=0))
    assert first_finding() == (Reason.COLUMNS_DIFFER, str(victim.pk), 4)


def test_a_header_edited_with_its_own_hash_recomputed(victim: Relationship) -> None:
    forger.recommit(event(victim, 4), OTHER_WORDS)
    forger.rehash_one(event(victim, 4))
    assert first_finding() == (Reason.LINK_BROKEN, str(victim.pk), 5)


def test_the_last_header_edited_with_its_own_hash_recomputed(victim: Relationship) -> None:
    forger.recommit(event(victim, 7), OTHER_WORDS)
    forger.rehash_one(event(victim, 7))
    assert first_finding() == (Reason.HEAD_DIFFERS, str(victim.pk), 7)


def test_two_events_swapped(victim: Relationship) -> None:
    fourth, sixth = event(victim, 4), event(victim, 6)
    forger.edit(fourth, seq=1000)
    forger.edit(sixth, seq=4)
    forger.edit(fourth, seq=6)
    assert first_finding() == (Reason.COLUMNS_DIFFER, str(victim.pk), 4)


def test_an_event_moved_to_another_relationship(victim: Relationship) -> None:
    other = conversation(exchanges=0)
    forger.edit(event(victim, 7), relationship=other, seq=2)
    reasons = {(finding.reason, finding.relationship, finding.seq) for finding in verify().findings}
    assert (Reason.COLUMNS_DIFFER, str(other.pk), 2) in reasons
    assert (Reason.HEAD_DIFFERS, str(victim.pk), 7) in reasons


def test_an_event_deleted_from_the_middle(victim: Relationship) -> None:
    forger.delete(Event.objects.filter(relationship=victim, seq=4))
    assert first_finding() == (Reason.SEQ_GAP, str(victim.pk), 4)


def test_the_tail_rewritten_with_all_hashes_recomputed(victim: Relationship) -> None:
    forger.recommit(event(victim, 6), OTHER_WORDS)
    forger.rechain(victim.pk)
    finding = verify().first
    assert finding is not None
    assert (finding.reason, finding.relationship) == (Reason.NODE_DIFFERS, str(victim.pk))
    assert finding.seq in (5, 6)  # a subtree of two leaves


def test_the_tail_rewritten_and_the_tree_regrown(victim: Relationship) -> None:
    forger.recommit(event(victim, 6), OTHER_WORDS)
    forger.rechain(victim.pk)
    forger.regrow()
    assert found() == {Reason.CHECKPOINT_DIFFERS}


def test_an_event_inserted_and_the_rest_rechained(victim: Relationship) -> None:
    for later in Event.objects.filter(relationship=victim, seq__gte=5).order_by("-seq"):
        forger.edit(later, seq=later.seq + 1)
    slipped_in = event(victim, 4)
    with ledger_guards_lifted():
        slipped_in.pk, slipped_in.seq, slipped_in.prev_hash = None, 5, "f" * 64
        slipped_in.save(force_insert=True)
        EventPayload.objects.create(event=slipped_in, salt=forger.SALT, text=OTHER_WORDS)
    forger.recommit(slipped_in, OTHER_WORDS)
    forger.rechain(victim.pk)
    forger.regrow()
    assert found() == {Reason.CHECKPOINT_DIFFERS}


@pytest.mark.parametrize("thorough", [False, True])
def test_the_last_event_deleted(victim: Relationship, thorough: bool) -> None:
    forger.delete(Event.objects.filter(relationship=victim, seq=7))
    if thorough:
        forger.rechain(victim.pk)
        forger.regrow()
        assert found() == {Reason.ROLLED_BACK}
    else:
        assert first_finding() == (Reason.HEAD_DIFFERS, str(victim.pk), 7)


def test_a_whole_relationship_deleted(victim: Relationship) -> None:
    forger.delete(Event.objects.filter(relationship=victim))
    assert (Reason.EVENTS_MISSING, str(victim.pk)) == first_finding()[:2]
    forger.delete_relationship(victim)
    assert first_finding()[0] == Reason.LEAF_GAP
    forger.regrow()
    assert found() == {Reason.ROLLED_BACK}


def test_the_database_rolled_back_to_an_older_copy(victim: Relationship) -> None:
    older = Checkpoint.objects.get()
    late = conversation()
    newer = checkpoint()
    with ledger_guards_lifted():
        Checkpoint.objects.filter(pk=newer.pk).delete()
    forger.delete(Event.objects.filter(relationship=late))
    forger.delete_relationship(late)
    forger.regrow()
    assert found() == {Reason.ROLLED_BACK, Reason.CHECKPOINT_MISSING}
    assert verify(relationship=victim.pk).first.reason == Reason.CHECKPOINT_MISSING  # type: ignore[union-attr]
    assert older.size < newer.size


def rewrite(victim: Relationship) -> None:
    forger.recommit(event(victim, 4), OTHER_WORDS)
    forger.rechain(victim.pk)
    forger.regrow()


def test_a_rewrite_with_a_checkpoint_signed_by_another_key(victim: Relationship) -> None:
    rewrite(victim)
    forger.suppress_outside(forger.resign(Ed25519PrivateKey.generate()))
    assert found() == {Reason.CHECKPOINT_UNKNOWN_KEY}
    assert verify(relationship=victim.pk).first.reason == Reason.CHECKPOINT_UNKNOWN_KEY  # type: ignore[union-attr]


def test_a_rewrite_with_a_new_checkpoint_by_the_real_key_while_the_old_one_is_kept_outside(
    victim: Relationship,
) -> None:
    rewrite(victim)
    forger.resign()
    assert found() == {Reason.CHECKPOINT_DIFFERS}
    assert verify(relationship=victim.pk).first.reason == Reason.NOT_IN_CHECKPOINT  # type: ignore[union-attr]


def receipts(file: Path, *events: Event) -> Path:
    lines = [{"relationship": str(one.relationship_id), "seq": one.seq, "hash": one.hash} for one in events]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return file


def test_a_key_thief_who_also_suppresses_old_checkpoints_is_caught_by_receipts(
    victim: Relationship, tmp_path: Path
) -> None:
    kept = receipts(tmp_path / "receipts.jsonl", event(victim, 3), event(victim, 4))
    assert verify(receipt_file=kept).ok
    rewrite(victim)
    forger.suppress_outside(forger.resign())
    assert verify().ok  # nothing in reach tells any more

    report = verify(receipt_file=kept)

    assert report.findings == [
        Finding(Reason.RECEIPT_DIFFERS, "not the event a receipt was given for", str(victim.pk), 4)
    ]
    assert report.receipts == 2


def test_a_receipt_for_an_event_that_is_gone(victim: Relationship, tmp_path: Path) -> None:
    kept = receipts(tmp_path / "receipts.jsonl", event(victim, 7))
    forger.delete(Event.objects.filter(relationship=victim, seq=7))
    assert Reason.RECEIPT_MISSING in {finding.reason for finding in verify(receipt_file=kept).findings}


def test_a_closure_that_tells_of_another_count() -> None:
    closed = conversation(close=True)
    text = EventPayload.objects.get(event=event(closed, 6)).text
    forger.recommit(event(closed, 6), text.replace('"total_events":6', '"total_events":5'))
    forger.rechain(closed.pk)
    assert first_finding() == (Reason.CLOSURE_DIFFERS, str(closed.pk), 6)


def test_a_leaf_that_holds_another_event(victim: Relationship) -> None:
    with ledger_guards_lifted():
        event(victim, 4).leaf.__class__.objects.filter(event=event(victim, 4)).update(hash="0" * 64)
    assert first_finding() == (Reason.LEAF_DIFFERS, str(victim.pk), 4)


def test_a_checkpoint_row_that_says_something_else_than_was_signed(victim: Relationship) -> None:
    with ledger_guards_lifted():
        Checkpoint.objects.update(root="0" * 64)
    assert found() == {Reason.CHECKPOINT_DIFFERS}


def test_a_checkpoint_outside_that_is_no_note(victim: Relationship, outside_record: Path) -> None:
    outside_record.write_text('"nonsense"\n')
    assert found() == {Reason.CHECKPOINT_MALFORMED}
