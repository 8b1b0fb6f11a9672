"""The record outside the database: an append-only file of signed notes, one JSON string a line.

A database restored from an old copy, or rewritten with all its hashes, cannot take these lines back.
"""

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

TAIL_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the file; `note` is None where it is no JSON string."""

    number: int
    note: str | None


def append(file: Path, notes: Iterable[str]) -> None:
    """Adds notes and syncs them to disk. A line torn by a crash is closed first, never repaired."""
    text = "".join(json.dumps(note, ensure_ascii=False) + "\n" for note in notes)
    if not text:
        return
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not ends_clean(file):
        text = "\n" + text
    descriptor = os.open(file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    try:
        os.write(descriptor, text.encode())
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def ends_clean(file: Path) -> bool:
    if not file.exists() or file.stat().st_size == 0:
        return True
    with file.open("rb") as lines:
        lines.seek(-1, os.SEEK_END)
        return lines.read(1) == b"\n"


def last_note(file: Path) -> str | None:
    """The last whole note, from the file's tail."""
    if not file.exists():
        return None
    with file.open("rb") as lines:
        lines.seek(max(0, file.stat().st_size - TAIL_BYTES))
        tail = lines.read().decode(errors="replace").split("\n")
    return next((note for text in reversed(tail) if (note := note_in(text)) is not None), None)


def read(file: Path) -> Iterator[Line]:
    """Every note in order. A torn line is left out where the line after it begins with the very same text."""
    with file.open(encoding="utf-8", errors="replace") as opened:
        torn: tuple[int, str] | None = None
        for number, raw in enumerate(opened, start=1):
            text = raw.rstrip("\n")
            if torn and not text.startswith(torn[1]):
                yield Line(torn[0], None)
            torn = None
            note = note_in(text)
            if note is not None:
                yield Line(number, note)
            elif text:
                torn = (number, text)
        if torn and raw.endswith("\n"):
            yield Line(torn[0], None)


def note_in(text: str) -> str | None:
    try:
        note = json.loads(text)
    except ValueError:
        return None
    return note if isinstance(note, str) else None
