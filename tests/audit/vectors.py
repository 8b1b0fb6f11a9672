"""Bundles both verifiers are tried on: sound ones, and every kind of tampering a bundle can show.

Most tampering here is done by somebody who holds a key of their own and makes the manifest right again: what remains to
be found is what the ledger itself proves.
"""

import base64
import hashlib
import io
import json
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from audit.services.export import MANIFEST_TAG, export_bundle, zipped
from audit.services.export_many import export_lineage
from conversations.services.erasure import erase_payloads
from conversations.services.reengagement import create_followup
from tests.cast import actor_for
from tests.ledger.cast import conversation, say

MOMENT = timezone.now().replace(microsecond=0)
THIEF = Ed25519PrivateKey.from_private_bytes(b"t" * 32)

Files = dict[str, bytes]
Change = Callable[[Files], None]


@contextmanager
def undone(folder: Path) -> Iterator[None]:
    """A log of its own, gone afterwards: a bundle needs none once it is made."""
    file = settings.LASTWORD_CHECKPOINT_FILE
    settings.LASTWORD_CHECKPOINT_FILE = folder / "checkpoints.log"
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    settings.LASTWORD_CHECKPOINT_FILE = file


def sound_bundles(folder: Path) -> dict[str, bytes]:
    """One conversation, closed, with a payload erased; and one with its follow-up."""
    with undone(folder):
        conversation()
        relationship = conversation(close=True)
        conversation()
        erase_payloads(relationship_id=relationship.pk, seqs=[2], basis="art. 17", by="user:1", now=MOMENT)
        followup = create_followup(relationship_id=relationship.pk, appointment=None, caller=actor_for("router").record)
        say(followup.pk, "noted", words="Grüße ☃")
        return {
            "one": export_bundle(relationship, now=MOMENT),
            "lineage": export_lineage(followup, now=MOMENT),
        }


def unzipped(data: bytes) -> Files:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def resigned(files: Files) -> bytes:
    """The files with a manifest that lists them as they are, signed by somebody else."""
    manifest = json.loads(files["manifest.json"])
    manifest["public_key"] = THIEF.public_key().public_bytes_raw().hex()
    manifest["files"] = {
        name: hashlib.sha256(content).hexdigest() for name, content in files.items() if not name.startswith("manifest")
    }
    text = json.dumps(manifest).encode()
    signature = THIEF.sign(MANIFEST_TAG + text).hex().encode() + b"\n"
    return zipped({**files, "manifest.json": text, "manifest.sig": signature})


def lines_changed(name: str, change: Callable[[list[dict[str, Any]]], Any]) -> Change:
    """Changes the records of a file of lines."""

    def changed(files: Files) -> None:
        records = [json.loads(line) for line in files[name].splitlines()]
        records = change(records) or records
        files[name] = "".join(json.dumps(record) + "\n" for record in records).encode()

    return changed


def document_changed(name: str, change: Callable[[Any], Any]) -> Change:
    def changed(files: Files) -> None:
        told = json.loads(files[name])
        change(told)
        files[name] = json.dumps(told).encode()

    return changed


def note_changed(change: Callable[[str], str]) -> Change:
    def changed(files: Files) -> None:
        name = next(name for name in files if name.startswith("checkpoints/"))
        files[name] = change(files[name].decode()).encode()

    return changed


def rehashed(records: list[dict[str, Any]]) -> None:
    """The third event says something else, and its own hash fits; the next one does not continue it."""
    records[2]["header"] = records[2]["header"].replace("response_accepted", "response_rejected")
    records[2]["hash"] = hashlib.sha256(b"lastword:event:v1\n" + records[2]["header"].encode()).hexdigest()


def swapped(records: list[dict[str, Any]]) -> None:
    records[1], records[2] = records[2], records[1]


def other_root(note: str) -> str:
    lines = note.split("\n")
    lines[2] = base64.b64encode(b"r" * 32).decode()
    return "\n".join(lines)


def signature_flipped(note: str) -> str:
    head, _, signature = note.rpartition(" ")
    raw = bytearray(base64.b64decode(signature))
    raw[-1] ^= 1
    return f"{head} {base64.b64encode(raw).decode()}\n"


def edit(index: int, **values: Any) -> Callable[[list[dict[str, Any]]], None]:
    return lambda records: records[index].update(values)


# What is changed, and how both verifiers must begin to tell of it.
INSIDE: dict[str, tuple[Change, str]] = {
    "payload edited": (
        lines_changed("payloads.jsonl", lambda all_: edit(3, text=all_[3]["text"].replace("book_1", "book_9"))(all_)),
        "payloads.jsonl, line 4, event 4: not the payload the event commits to",
    ),
    "salt edited": (
        lines_changed("payloads.jsonl", edit(3, salt="00" * 32)),
        "payloads.jsonl, line 4, event 4: not the payload the event commits to",
    ),
    "payload left out": (
        lines_changed("payloads.jsonl", lambda records: records[:3] + records[4:]),
        "payloads.jsonl: nothing about event 4",
    ),
    "payload told twice": (
        lines_changed("payloads.jsonl", lambda records: [*records, records[3]]),
        "payloads.jsonl, line 8, event 4: no such event, or told twice",
    ),
    "erased without a mark": (
        lines_changed("payloads.jsonl", lambda records: [*records[:3], {"seq": 4, "erased": True}, *records[4:]]),
        "payloads.jsonl, line 4, event 4: erased, and no event says so",
    ),
    "mark of the erasure erased": (
        lines_changed("payloads.jsonl", lambda records: [*records[:6], {"seq": 7, "erased": True}]),
        "payloads.jsonl, line 2, event 2: erased, and no event says so",
    ),
    "header edited": (
        lines_changed("events.jsonl", lambda all_: edit(2, header=all_[2]["header"].replace("accep", "rejec"))(all_)),
        "events.jsonl, line 3, event 3: the header is not what was hashed",
    ),
    "header edited, its hash recomputed": (
        lines_changed("events.jsonl", rehashed),
        "events.jsonl, line 4, event 4: does not continue the event before it",
    ),
    "two events swapped": (
        lines_changed("events.jsonl", swapped),
        "events.jsonl, line 2, event 3: out of sequence, 2 was due",
    ),
    "event left out": (
        lines_changed("events.jsonl", lambda records: records[:2] + records[3:]),
        "events.jsonl, line 3, event 4: out of sequence, 3 was due",
    ),
    "last event left out": (
        lines_changed("events.jsonl", lambda records: records[:-1]),
        "events.jsonl: 6 events, the manifest counts 7",
    ),
    "closure erased as if it were not there": (
        lines_changed("payloads.jsonl", lambda records: records[:5] + records[6:]),
        "payloads.jsonl: nothing about event 6",
    ),
    "moved to another conversation": (
        document_changed("manifest.json", lambda told: told.update(relationship="0" * 36)),
        "events.jsonl, line 1, event 1: belongs to another conversation",
    ),
    "proof bent": (
        document_changed("proofs.json", lambda told: told["leaves"][1]["path"].__setitem__(0, "ab" * 32)),
        "proofs.json, event 2: the proof does not lead to the signed root",
    ),
    "proof of another leaf": (
        document_changed("proofs.json", lambda told: told["leaves"][1].update(index=0)),
        "proofs.json, event 2: the proof does not lead to the signed root",
    ),
    "proof beyond the tree": (
        document_changed("proofs.json", lambda told: told["leaves"][1].update(index=10**6)),
        "proofs.json, event 2: the proof does not lead to the signed root",
    ),
    "proof left out": (
        document_changed("proofs.json", lambda told: told["leaves"].pop(1)),
        "proofs.json, event 2: no proof",
    ),
    "checkpoint of another tree": (
        note_changed(other_root),
        "proofs.json, event 1: the proof does not lead to the signed root",
    ),
    "checkpoint's signature flipped": (note_changed(signature_flipped), "checkpoints/"),
    "checkpoint without a signature": (note_changed(lambda note: note.partition("\n\n")[0]), "checkpoints/"),
    "no checkpoint": (lambda files: drop(files, "checkpoints/"), "checkpoints/"),
    "a key slipped in": (
        document_changed(
            "keys.json",
            lambda told: told["keys"].append({"public_key": "cd" * 32, "successor": None, "voucher": None}),
        ),
        "keys.json: nobody vouches for key cdcdcdcdcdcdcdcd",
    ),
    "another log's name": (
        document_changed("keys.json", lambda told: told.update(origin="lastword/0123456789abcdef")),
        "keys.json: the log is not named after its first key",
    ),
    "no events": (lambda files: drop(files, "events"), "events.jsonl: malformed"),
    "events that are no JSON": (lambda files: files.update({"events.jsonl": b"{\n"}), "events.jsonl: malformed"),
    "no format of ours": (
        document_changed("manifest.json", lambda told: told.update(format="lastword-bundle/9")),
        "manifest.json: not of format lastword-bundle/1 or lastword-bundle/2",
    ),
}


def drop(files: Files, beginning: str) -> None:
    del files[next(name for name in files if name.startswith(beginning))]


def deflated(data: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in unzipped(data).items():
            archive.writestr(name, content)
    return buffer.getvalue()


def flipped(data: bytes, mark: bytes) -> bytes:
    at = data.index(mark)
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def tampered_bundles(sound: dict[str, bytes]) -> dict[str, tuple[bytes, str]]:
    """Each bundle with the beginning of what must be among the problems told."""
    one, family = sound["one"], sound["lineage"]
    found: dict[str, tuple[bytes, str]] = {}
    for name, (change, told) in INSIDE.items():
        files = unzipped(one)
        change(files)
        assert files != unzipped(one), name
        found[name] = (resigned(files), told)
    files = unzipped(one)
    found["not listed"] = (zipped({**files, "more.txt": b"?"}), "more.txt: not in the manifest")
    del files["payloads.jsonl"]
    found["listed and missing"] = (zipped(files), "payloads.jsonl: missing")
    found["signed by another"] = (resigned(unzipped(one)), "keys.json: nobody vouches for key")
    found["a flipped bit"] = (flipped(one, b"book_1"), "payloads.jsonl")
    found["signature flipped"] = (
        zipped({**unzipped(one), "manifest.sig": b"00" * 64 + b"\n"}),
        "manifest.json, manifest.sig: the signature does not fit",
    )
    found["bytes after the end"] = (one + b"x", "the zip itself")
    found["cut off"] = (one[:-30], "the zip itself")
    found["packed again"] = (deflated(one), "the zip itself: byte")
    found["no zip"] = (b"no zip at all", "the zip itself")
    found["nothing"] = (b"", "the zip itself")
    many = unzipped(family)
    records = [json.loads(line) for line in many["payloads.jsonl"].splitlines()]
    records[-1]["text"] = records[-1]["text"].replace("☃", "!")
    many["payloads.jsonl"] = "".join(json.dumps(one) + "\n" for one in records).encode()
    found["payload of a follow-up edited"] = (
        resigned(many),
        f"payloads.jsonl, line {len(records)}, event {records[-1]['seq']} of {records[-1]['relationship']}: not the",
    )
    return found
