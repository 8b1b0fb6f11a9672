"""Checkpoints as people look at them: each with its signature's verdict and its double outside the database."""

from dataclasses import dataclass

from django.conf import settings

from audit.ledger.findings import Finding
from audit.models import Checkpoint, SigningKey
from audit.services import keys, outside
from audit.services.verify_checkpoints import open_note

PAGE = 25


@dataclass(frozen=True, slots=True)
class Attested:
    """A checkpoint: did a trusted key sign what its columns say, and is the very same note kept outside?"""

    checkpoint: Checkpoint
    is_signed: bool
    is_outside: bool


@dataclass(frozen=True, slots=True)
class OutsideRecord:
    """The file outside the database, as it stands."""

    is_there: bool
    notes: int = 0
    unreadable: int = 0


@dataclass(frozen=True, slots=True)
class AttestedPage:
    rows: list[Attested]
    next: int | None
    record: OutsideRecord
    keys: list[SigningKey]
    anchor: str


def attested_page(*, below: int | None) -> AttestedPage:
    """Checkpoints of a smaller size than `below`, newest first, held against the keys and the outside record."""
    wanted = Checkpoint.objects.all() if below is None else Checkpoint.objects.filter(size__lt=below)
    found = list(wanted[: PAGE + 1])
    page = found[:PAGE]
    record, kept = outside_record({one.note for one in page})
    anchor = keys.public_key()
    trusted = keys.trusted_keys(anchor)
    return AttestedPage(
        rows=[Attested(one, is_signed(one, trusted), one.note in kept) for one in page],
        next=page[-1].size if len(found) > PAGE else None,
        record=record,
        keys=list(SigningKey.objects.order_by("-id")),
        anchor=anchor.hex(),
    )


def is_signed(checkpoint: Checkpoint, trusted: list[bytes]) -> bool:
    head = open_note(checkpoint.note, "", trusted)
    return not isinstance(head, Finding) and (head.size, head.root.hex()) == (checkpoint.size, checkpoint.root)


def outside_record(notes: set[str]) -> tuple[OutsideRecord, set[str]]:
    """The record's state, and which of these notes it holds; read as a stream, whatever its length."""
    kept: set[str] = set()
    read = unreadable = 0
    try:
        for line in outside.read(settings.LASTWORD_CHECKPOINT_FILE):
            read += 1
            unreadable += line.note is None
            if line.note in notes:
                kept.add(line.note)
    except OSError:
        return OutsideRecord(is_there=False), kept
    return OutsideRecord(True, read, unreadable), kept
