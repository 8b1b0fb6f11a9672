"""Signed roots are made when the log grew, kept outside too, and never bless a fork."""

from pathlib import Path

import httpx
import pytest
from django.utils import timezone
from pytest_django import Settings

from audit import tasks
from audit.errors import ForkError, SigningKeyError
from audit.ledger import notes
from audit.models import Checkpoint, SigningKey
from audit.services import checkpoints, keys, outside
from audit.services.verification import verify
from conversations.models import Event
from tests.ledger import forger
from tests.ledger.cast import checkpoint, conversation, say
from tests.ledger_guards import ledger_guards_lifted

pytestmark = pytest.mark.django_db


def outside_notes(file: Path) -> list[str | None]:
    return [line.note for line in outside.read(file)]


def test_an_empty_log_is_not_signed(outside_record: Path) -> None:
    assert checkpoints.make_checkpoint(now=timezone.now()) is None
    assert not outside_record.exists()


def test_a_checkpoint_is_in_the_table_and_outside_word_for_word(outside_record: Path) -> None:
    conversation()
    made = checkpoint()
    assert outside_notes(outside_record) == [made.note]
    note = notes.parse(made.note)
    assert (note.head.size, note.head.root.hex()) == (5, made.root)
    assert notes.signer(note, [keys.public_key()])
    assert outside_record.stat().st_mode & 0o777 == 0o600


def test_a_log_that_did_not_grow_is_not_signed_again(outside_record: Path) -> None:
    conversation()
    assert checkpoint().pk == checkpoint().pk
    assert len(outside_notes(outside_record)) == 1


def test_what_a_crash_kept_from_the_file_is_written_by_the_next_run(outside_record: Path) -> None:
    conversation()
    first = checkpoint()
    outside_record.unlink()
    conversation()
    second = checkpoint()
    assert outside_notes(outside_record) == [first.note, second.note]


@pytest.mark.parametrize("kept", [1, 10, 100])
def test_a_line_torn_by_a_crash_is_closed_and_the_note_written_again(outside_record: Path, kept: int) -> None:
    conversation()
    made = checkpoint()
    outside_record.write_bytes(outside_record.read_bytes()[:kept])
    assert verify().findings == []
    checkpoint()
    assert outside_notes(outside_record) == [made.note]
    assert verify().ok


def test_a_line_that_is_no_torn_note_is_told(outside_record: Path) -> None:
    conversation()
    checkpoint()
    outside_record.write_text("gibberish\n" + outside_record.read_text())
    assert [line.note is None for line in outside.read(outside_record)] == [True, False]
    assert not verify().ok


def test_a_forked_log_is_never_signed(outside_record: Path) -> None:
    relationship = conversation()
    checkpoint()
    forger.recommit(Event.objects.get(relationship=relationship, seq=5), "{}")
    forger.rechain(relationship.pk)
    forger.regrow()
    conversation()
    with pytest.raises(ForkError):
        checkpoint()
    assert Checkpoint.objects.count() == len(outside_notes(outside_record)) == 1


def test_an_unreadable_outside_record_stops_the_signing(outside_record: Path) -> None:
    conversation()
    outside_record.write_text('"nonsense"\n')
    with pytest.raises(ForkError):
        checkpoint()


def test_a_thousand_events_do_not_wait_for_the_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoints, "EVERY_EVENTS", 6)
    relationship = conversation()  # five events
    tasks.sequence_leaves()
    assert not Checkpoint.objects.exists()
    say(relationship.pk, "noted")
    tasks.sequence_leaves()
    assert Checkpoint.objects.get().size == 6


def test_the_minute_signs_whatever_there_is() -> None:
    conversation(exchanges=0)
    tasks.make_checkpoint()
    assert Checkpoint.objects.get().size == 1


def test_checkpoints_are_posted_in_order_and_again_after_a_failure(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.LASTWORD_CHECKPOINT_URL = "https://witness.example/notes"
    received: list[str] = []
    up = False

    def post(url: str, *, content: bytes, **_: object) -> httpx.Response:
        if up:
            received.append(content.decode())
        return httpx.Response(200 if up else 503, request=httpx.Request("POST", url))

    monkeypatch.setattr(httpx, "post", post)
    conversation()
    first = checkpoint()
    assert Checkpoint.objects.get().posted_at is None
    up = True
    conversation()
    second = checkpoint()
    assert received == [first.note, second.note]
    assert not Checkpoint.objects.filter(posted_at=None).exists()


def test_after_a_rotation_old_and_new_notes_verify(settings: Settings, tmp_path: Path) -> None:
    settings.LASTWORD_SIGNING_KEY_FILE = tmp_path / "signing_key"
    conversation()
    first = checkpoint()
    settings.LASTWORD_SIGNING_KEY = keys.rotate(now=timezone.now())
    conversation()
    second = checkpoint()

    assert notes.parse(first.note).head.origin == notes.parse(second.note).head.origin
    assert first.key_id != second.key_id
    assert verify().ok
    assert settings.LASTWORD_SIGNING_KEY_FILE.read_text() == settings.LASTWORD_SIGNING_KEY
    assert settings.LASTWORD_SIGNING_KEY_FILE.stat().st_mode & 0o777 == 0o600


def test_a_retired_or_unknown_key_does_not_sign(settings: Settings, tmp_path: Path) -> None:
    settings.LASTWORD_SIGNING_KEY_FILE = tmp_path / "signing_key"
    conversation()
    checkpoint()
    keys.rotate(now=timezone.now())  # and this process still holds the old one
    conversation()
    with pytest.raises(SigningKeyError):
        checkpoint()
    settings.LASTWORD_SIGNING_KEY = "A" * 43
    with pytest.raises(SigningKeyError):
        checkpoint()
    settings.LASTWORD_SIGNING_KEY = "too short"
    with pytest.raises(SigningKeyError):
        checkpoint()
    assert Checkpoint.objects.count() == 1


def test_a_key_slipped_into_the_table_is_trusted_by_nobody() -> None:
    conversation()
    checkpoint()
    with ledger_guards_lifted():
        SigningKey.objects.create(
            public_key="ab" * 32, created_at=timezone.now(), successor=keys.public_key().hex(), voucher="cd" * 64
        )
    assert keys.trusted_keys(keys.public_key()) == [keys.public_key()]
