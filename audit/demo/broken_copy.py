"""A copy of one conversation in which somebody changed a word: what verification says of it is worth seeing.

The database itself refuses such a change, so the copy is a bundle beside it.
"""

import io
import zipfile
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from audit.services.export import export_bundle, zipped
from conversations.models import Relationship

SAID, FORGED = b"not_now", b"granted"


def copies() -> tuple[Path, Path]:
    """Where the sound bundle and its forged copy lie."""
    folder = Path(settings.LASTWORD_DATA) / "demo"
    return folder / "sound.zip", folder / "forged.zip"


def write_copies(relationship: Relationship) -> None:
    sound, forged = copies()
    sound.parent.mkdir(exist_ok=True)
    bundle = export_bundle(relationship, now=timezone.now())
    sound.write_bytes(bundle)
    forged.write_bytes(with_a_word_changed(bundle))


def with_a_word_changed(bundle: bytes) -> bytes:
    """The same bundle, in which the customer said something else."""
    with zipfile.ZipFile(io.BytesIO(bundle)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    if SAID not in files["events.jsonl"] + files["payloads.jsonl"]:
        raise ValueError("this conversation has nothing to forge")
    for name in ("events.jsonl", "payloads.jsonl"):
        files[name] = files[name].replace(SAID, FORGED)
    return zipped(files)
