"""The signed roots that are known, from the table and from outside, each held against the keys that are trusted."""

from dataclasses import dataclass
from pathlib import Path

from audit.ledger import notes
from audit.ledger.findings import Finding, Reason
from audit.models import Checkpoint
from audit.services import keys, outside


@dataclass(frozen=True, slots=True)
class KnownHead:
    """A root somebody trusted signed."""

    size: int
    root: bytes
    source: str
    outside: bool


def outside_lines(file: Path, *, is_named: bool, unchecked: list[str]) -> list[outside.Line]:
    """The outside record. Read it before the database: what is published there was committed here first."""
    try:
        return list(outside.read(file))
    except OSError as problem:
        # before the first checkpoint there is no file, and nothing to miss
        if is_named or Checkpoint.objects.exists():
            unchecked.append(f"the outside checkpoints cannot be read: {problem.strerror}")
        return []


def known_heads(lines: list[outside.Line], *, trusted: list[bytes]) -> tuple[list[KnownHead], list[Finding]]:
    """Every known root, smallest first, and what is wrong with the notes themselves."""
    heads: list[KnownHead] = []
    findings: list[Finding] = []

    def take(note: str | None, source: str, *, is_outside: bool) -> notes.TreeHead | None:
        opened = open_note(note, source, trusted)
        if isinstance(opened, Finding):
            findings.append(opened)
            return None
        heads.append(KnownHead(opened.size, opened.root, source, is_outside))
        return opened

    sizes = set()
    for size, root, note in Checkpoint.objects.order_by("size").values_list("size", "root", "note"):
        sizes.add(size)
        source = f"the table's checkpoint at {size}"
        head = take(note, source, is_outside=False)
        if head and (head.size, head.root.hex()) != (size, root):
            findings.append(Finding(Reason.CHECKPOINT_DIFFERS, f"{source}: the columns do not say what was signed"))
    for line in lines:
        source = f"line {line.number} of the outside record"
        head = take(line.note, source, is_outside=True)
        if head and head.size not in sizes:
            findings.append(Finding(Reason.CHECKPOINT_MISSING, f"{source}: the table has none at {head.size}"))
    return sorted(heads, key=lambda head: head.size), findings


def open_note(note: str | None, source: str, trusted: list[bytes]) -> notes.TreeHead | Finding:
    """The tree head a trusted key signed for this log."""
    try:
        parsed = notes.parse(note or "")
    except notes.NoteError as problem:
        return Finding(Reason.CHECKPOINT_MALFORMED, f"{source}: {problem}")
    if parsed.head.origin != keys.origin_of(trusted) or notes.signer(parsed, trusted) is None:
        return Finding(Reason.CHECKPOINT_UNKNOWN_KEY, f"{source}: not signed for this log by a known key")
    return parsed.head
