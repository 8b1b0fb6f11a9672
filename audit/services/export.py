"""Conversations as a signed bundle that anybody can check offline (`client/verify_bundle.py`)."""

import hashlib
import io
import json
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from audit.ledger.proofs import inclusion_ranges
from audit.models import Checkpoint, SigningKey
from audit.selectors.tree import range_hashes
from audit.services import keys
from audit.services.checkpoints import make_checkpoint
from audit.services.keys import Signer
from conversations.domain.times import to_text
from conversations.models import Event, Relationship

ONE, MANY = "lastword-bundle/1", "lastword-bundle/2"
MANIFEST_TAG = b"lastword:bundle:v1\n"
EPOCH = (1980, 1, 1, 0, 0, 0)  # zip's own; the entries' times say nothing


def export_bundle(relationship: Relationship, *, now: datetime) -> bytes:
    """One conversation, as the API gives it."""
    return bundle_of([relationship.pk], {"format": ONE, "relationship": str(relationship.pk)}, now=now)


def bundle_of(relationships: Sequence[UUID], head: Mapping[str, Any], *, now: datetime) -> bytes:
    """The bundle's bytes. Everything said so far is numbered and signed first, so that every event has its proof.

    `head` is how the manifest begins: which format, of what. Where it is of many, every record names its conversation.
    """
    checkpoint = make_checkpoint(now=now)
    if checkpoint is None:
        raise ValueError("a relationship has at least one event, so the log is not empty")
    signer = keys.signer(now=now)
    place = {relationship: number for number, relationship in enumerate(relationships)}
    events = sorted(
        Event.objects.filter(relationship__in=relationships, leaf__index__lt=checkpoint.size).select_related(
            "payload", "leaf"
        ),
        key=lambda one: (place[one.relationship_id], one.seq),
    )
    named = head["format"] == MANY
    files = {
        "events.jsonl": lines({"seq": one.seq, "hash": one.hash, "header": one.header} for one in events),
        "payloads.jsonl": lines({**whose(one, named), **payload_line(one)} for one in events),
        "proofs.json": document(proofs(events, checkpoint, named=named)),
        f"checkpoints/{checkpoint.size}.note": checkpoint.note.encode(),
        "keys.json": document(known_keys(signer)),
    }
    manifest = document(
        {
            **head,
            "created_at": to_text(now),
            "events": len(events),
            "public_key": signer.public_key.hex(),
            "files": {name: hashlib.sha256(content).hexdigest() for name, content in sorted(files.items())},
        }
    )
    signature = signer.private_key.sign(MANIFEST_TAG + manifest)
    return zipped({"manifest.json": manifest, "manifest.sig": signature.hex().encode() + b"\n", **files})


def whose(event: Event, named: bool) -> dict[str, str]:
    return {"relationship": str(event.relationship_id)} if named else {}


def payload_line(event: Event) -> dict[str, Any]:
    """The words and their salt as stored, or the mark that they were erased."""
    payload = getattr(event, "payload", None)
    if payload is None:
        return {"seq": event.seq, "erased": True}
    return {"seq": event.seq, "salt": bytes(payload.salt).hex(), "text": payload.text}


def proofs(events: list[Event], checkpoint: Checkpoint, *, named: bool) -> dict[str, Any]:
    """How each event's leaf leads to the signed root."""
    paths = {event.pk: inclusion_ranges(event.leaf.index, checkpoint.size) for event in events}
    known = range_hashes(one for path in paths.values() for one in path)
    return {
        "checkpoint": f"checkpoints/{checkpoint.size}.note",
        "leaves": [
            {
                **whose(event, named),
                "seq": event.seq,
                "index": event.leaf.index,
                "path": [known[one].hex() for one in paths[event.pk]],
            }
            for event in events
        ],
    }


def known_keys(signer: Signer) -> dict[str, Any]:
    """Every key that signed this log, and who vouches for the retired ones."""
    trusted = [key.hex() for key in keys.trusted_keys(signer.public_key)]
    rows = SigningKey.objects.filter(public_key__in=trusted).order_by("id")
    return {
        "origin": signer.origin,
        "keys": [
            {"public_key": row.public_key, "successor": row.successor or None, "voucher": row.voucher or None}
            for row in rows
        ],
    }


def document(content: Mapping[str, Any]) -> bytes:
    return (json.dumps(content, indent=1, sort_keys=True) + "\n").encode()


def lines(records: Iterable[Mapping[str, Any]]) -> bytes:
    return "".join(json.dumps(record, ensure_ascii=False, sort_keys=True) + "\n" for record in records).encode()


def zipped(files: Mapping[str, bytes]) -> bytes:
    """A zip whose every byte follows from its content, so that a verifier notices any other: hence uncompressed."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, EPOCH), content)
    return buffer.getvalue()
