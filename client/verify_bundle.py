#!/usr/bin/env python3
"""Checks exported conversations offline: `verify_bundle.py BUNDLE.zip [--key PUBLIC_KEY_HEX]`.

Needs the standard library and `cryptography`; shares no code with the server, so that it can contradict it.
Exit status: 0 sound, 1 broken (each line names the file and the event), 2 could not be checked.
"""

import argparse
import base64
import hashlib
import hmac
import io
import json
import sys
import zipfile
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

ONE, MANY = "lastword-bundle/1", "lastword-bundle/2"  # a conversation; a lineage or a period
EVENT_TAG, BUNDLE_TAG = b"lastword:event:v1\n", b"lastword:bundle:v1\n"
KEY_TAG, LOG_TAG = b"lastword:key:v1\n", b"lastword:log:v1\n"
GENESIS = "0" * 64
SOUND, BROKEN, NOT_CHECKED = 0, 1, 2
MALFORMED = (ValueError, KeyError, TypeError, AttributeError, IndexError)

Problems = Iterator[str]
Event = tuple[str, int]  # conversation and seq


def sha256(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


def signed(public_key: str, signature: bytes, message: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(bytes.fromhex(public_key)).verify(signature, message)
    except (InvalidSignature, *MALFORMED):
        return False
    return True


class Bundle:
    """The files of a bundle, and what the checks learn on their way."""

    def __init__(self, data: bytes, pinned: str | None) -> None:
        self.data, self.pinned = data, pinned
        self.files: dict[str, bytes] = {}
        self.documents: dict[str, Any] = {}
        self.trusted: list[str] = []
        self.hashes: dict[Event, str] = {}
        self.headers: dict[Event, dict[str, Any]] = {}

    def document(self, name: str) -> Any:
        if name not in self.documents:
            self.documents[name] = json.loads(self.files[name])
        return self.documents[name]

    def records(self, name: str) -> Iterator[tuple[int, dict[str, Any]]]:
        for number, line in enumerate(self.files[name].splitlines(), start=1):
            try:
                yield number, json.loads(line)
            except ValueError as problem:
                raise ValueError(f"line {number}: {problem}") from problem

    def event(self, record: dict[str, Any]) -> Event:
        """What a record is about; a bundle of one conversation does not repeat which."""
        return record.get("relationship") or self.document("manifest.json")["relationship"], record["seq"]

    def named(self, event: Event) -> str:
        many = self.document("manifest.json")["format"] == MANY
        return f"event {event[1]} of {event[0]}" if many else f"event {event[1]}"

    @property
    def note_name(self) -> str:
        return next((name for name in self.files if name.startswith("checkpoints/")), "checkpoints/")


def check_archive(bundle: Bundle) -> Problems:
    """Reads every file; then no byte of the zip may differ from what those files alone make."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(bundle.data))
    except (zipfile.BadZipFile, *MALFORMED, NotImplementedError, OSError) as problem:
        yield f"the zip itself: {problem}"
        return
    rebuilt = io.BytesIO()
    with archive, zipfile.ZipFile(rebuilt, "w", zipfile.ZIP_STORED) as again:
        for entry in archive.infolist():
            try:
                bundle.files[entry.filename] = archive.read(entry)
            except (zipfile.BadZipFile, *MALFORMED, NotImplementedError, RuntimeError, EOFError, OSError) as problem:
                yield f"{entry.filename}: {problem}"
                continue
            again.writestr(zipfile.ZipInfo(entry.filename, (1980, 1, 1, 0, 0, 0)), bundle.files[entry.filename])
    pairs = enumerate(zip_longest(bundle.data, rebuilt.getvalue()))
    if (position := next((at for at, (told, made) in pairs if told != made), None)) is not None:
        yield f"the zip itself: byte {position} is not what its files make"


def check_manifest(bundle: Bundle) -> Problems:
    """The manifest is signed, by the pinned key where one is given, and lists every file as it is."""
    manifest = bundle.document("manifest.json")
    if bundle.pinned is not None and manifest["public_key"] != bundle.pinned.lower():
        yield "manifest.json: signed by another key than the pinned one"
    if not signed(manifest["public_key"], signature_in(bundle), BUNDLE_TAG + bundle.files["manifest.json"]):
        yield "manifest.json, manifest.sig: the signature does not fit"
    if manifest["format"] not in (ONE, MANY):
        yield f"manifest.json: not of format {ONE} or {MANY}"
    listed = manifest["files"]
    for name in sorted({*listed, *bundle.files} - {"manifest.json", "manifest.sig"}):
        if name not in listed or name not in bundle.files:
            yield f"{name}: {'missing' if name in listed else 'not in the manifest'}"
        elif sha256(bundle.files[name]).hex() != listed[name]:
            yield f"{name}: not the file the manifest lists"


def signature_in(bundle: Bundle) -> bytes:
    """The manifest's signature, in the one spelling it has; nothing where it is spelt otherwise."""
    text = bundle.files["manifest.sig"]
    try:
        raw = bytes.fromhex(text.decode("ascii"))
    except ValueError:
        return b""
    return raw if text == raw.hex().encode() + b"\n" else b""


def check_keys(bundle: Bundle) -> Problems:
    """From the key that signed the manifest back through every key it vouches for; the first names the log."""
    told = bundle.document("keys.json")
    bundle.trusted = [bundle.document("manifest.json")["public_key"]]
    known = {key["public_key"]: key for key in told["keys"]}
    while before := [key for key in known.values() if key["successor"] == bundle.trusted[-1]]:
        retired = before[0]
        public = retired["public_key"]
        if public in bundle.trusted or not signed(
            bundle.trusted[-1], bytes.fromhex(retired["voucher"]), KEY_TAG + bytes.fromhex(public)
        ):
            yield f"keys.json: nobody vouches for key {public[:16]}"
            return
        bundle.trusted.append(public)
    log = sha256(LOG_TAG + bytes.fromhex(bundle.trusted[-1])).hex()[:16]
    if told["origin"] != f"lastword/{log}":
        yield "keys.json: the log is not named after its first key"
    for public in known:
        if public not in bundle.trusted:
            yield f"keys.json: nobody vouches for key {public[:16]}"


def check_events(bundle: Bundle) -> Problems:
    """Headers hash to what they should, each continues the one before, none is missing."""
    manifest = bundle.document("manifest.json")
    due = manifest.get("relationships") or [manifest["relationship"]]
    heads: dict[str, tuple[int, str]] = dict.fromkeys(due, (0, GENESIS))
    for number, record in bundle.records("events.jsonl"):
        header = json.loads(record["header"])
        event = (header["relationship"], record["seq"])
        name = f"events.jsonl, line {number}, {bundle.named(event)}"
        seq, prev = heads.get(event[0], (0, GENESIS))
        if sha256(EVENT_TAG + record["header"].encode()).hex() != record["hash"]:
            yield f"{name}: the header is not what was hashed"
        if header["seq"] != record["seq"] or record["seq"] != seq + 1:
            yield f"{name}: out of sequence, {seq + 1} was due"
        if header["prev"] != prev:
            yield f"{name}: does not continue the event before it"
        if event[0] not in due:
            yield f"{name}: belongs to another conversation"
        heads[event[0]] = record["seq"], record["hash"]
        bundle.hashes[event], bundle.headers[event] = record["hash"], header
    if len(bundle.headers) != manifest["events"]:
        yield f"events.jsonl: {len(bundle.headers)} events, the manifest counts {manifest['events']}"
    for relationship in due:
        if heads[relationship][0] == 0:
            yield f"events.jsonl: nothing of {relationship}"


def check_payloads(bundle: Bundle) -> Problems:
    """Every payload is the one its header commits to; what is erased has an event that says so."""
    erased: dict[Event, str] = {}
    marked, seen = set[Event](), set[Event]()
    for number, record in bundle.records("payloads.jsonl"):
        event = relationship, seq = bundle.event(record)
        name = f"payloads.jsonl, line {number}, {bundle.named(event)}"
        header = bundle.headers.get(event)
        if header is None or event in seen:
            yield f"{name}: no such event, or told twice"
            continue
        seen.add(event)
        if record.get("erased"):
            erased[event] = name
            continue
        committed = hmac.digest(bytes.fromhex(record["salt"]), record["text"].encode(), "sha256").hex()
        if committed != header["commitment"]:
            yield f"{name}: not the payload the event commits to"
        told = json.loads(record["text"])
        if header["type"] == "payload_erased":
            marked.add((relationship, told["seq"]))
        before = {"seq": seq - 1, "hash": bundle.hashes.get((relationship, seq - 1))}
        if header["type"] == "conversation_closure" and (told["total_events"] != seq or told["head"] != before):
            yield f"{name}: the closure tells of another head or count"
    for event in (one for one in bundle.headers if one not in seen):
        yield f"payloads.jsonl: nothing about {bundle.named(event)}"
    for event in (one for one in erased if one not in marked):
        yield f"{erased[event]}: erased, and no event says so"


def check_note(bundle: Bundle) -> Problems:
    """A trusted key signed the checkpoint."""
    name = bundle.note_name
    text, _, signature = bundle.files[name].decode().partition("\n\n")
    origin = text.split("\n")[0]
    message = (text + "\n").encode()
    by_id = {sha256(origin.encode() + b"\n\x01" + bytes.fromhex(public))[:4]: public for public in bundle.trusted}
    raw = base64.b64decode(signature.removeprefix(f"— {origin} ").removesuffix("\n"), validate=True)
    if origin != bundle.document("keys.json")["origin"] or not signed(by_id.get(raw[:4], ""), raw[4:], message):
        yield f"{name}: not signed for this log by a trusted key"


def check_proofs(bundle: Bundle) -> Problems:
    """Every event's leaf leads to the signed root."""
    told = bundle.document("proofs.json")
    lines = bundle.files[bundle.note_name].decode().split("\n")
    size, root = int(lines[1]), base64.b64decode(lines[2], validate=True)
    if told["checkpoint"] != bundle.note_name or bundle.note_name != f"checkpoints/{size}.note":
        yield "proofs.json: for another checkpoint"
    proofs = {bundle.event(proof): proof for proof in told["leaves"]}
    for event, event_hash in bundle.hashes.items():
        name = f"proofs.json, {bundle.named(event)}"
        if event not in proofs:
            yield f"{name}: no proof"
            continue
        path = [bytes.fromhex(step) for step in proofs[event]["path"]]
        if climbed(bytes.fromhex(event_hash), proofs[event]["index"], size, path) != root:
            yield f"{name}: the proof does not lead to the signed root"
    for event in (one for one in proofs if one not in bundle.hashes):
        yield f"proofs.json, {bundle.named(event)}: no such event"


def climbed(event_hash: bytes, index: int, size: int, path: list[bytes]) -> bytes | None:
    """The root that an inclusion proof leads to (RFC 9162, 2.1.3.2)."""
    if not 0 <= index < size:
        return None
    found, last = sha256(b"\x00" + event_hash), size - 1
    for sibling in path:
        if last == 0:
            return None
        if index % 2 or index == last:
            found = sha256(b"\x01" + sibling + found)
            while index % 2 == 0 and index:
                index, last = index // 2, last // 2
        else:
            found = sha256(b"\x01" + found + sibling)
        index, last = index // 2, last // 2
    return found if last == 0 else None


def problems(data: bytes, *, pinned: str | None = None) -> list[str]:
    """Everything wrong with a bundle, in the order of the checks; nothing for a sound one."""
    bundle = Bundle(data, pinned)
    found = list(check_archive(bundle))
    names = ("manifest.json", "keys.json", "events.jsonl", "payloads.jsonl", bundle.note_name, "proofs.json")
    for name, check in zip(names, CHECKS, strict=True):
        try:
            found.extend(check(bundle))
        except MALFORMED as problem:
            found.append(f"{name}: malformed ({type(problem).__name__}: {problem})")
    return found


CHECKS = (check_manifest, check_keys, check_events, check_payloads, check_note, check_proofs)


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Checks a Lastword bundle offline.")
    parser.add_argument("bundle", type=Path)
    parser.add_argument("--key", help="the public key (64 hex digits) that must have signed it")
    options = parser.parse_args(arguments)
    try:
        data = options.bundle.read_bytes()
    except OSError as problem:
        sys.stderr.write(f"could not check: {problem}\n")
        return NOT_CHECKED
    found = problems(data, pinned=options.key)
    for line in found:
        sys.stderr.write(f"BROKEN {line}\n")
    if found:
        return BROKEN
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        manifest = json.loads(archive.read("manifest.json"))
    trust = "the pinned key" if options.key else f"key {manifest['public_key']} (not pinned: compare it)"
    of = manifest.get("relationship") or ", ".join(manifest["relationships"])
    sys.stdout.write(f"sound: {manifest['events']} events of {of}, signed by {trust}\n")
    return SOUND


if __name__ == "__main__":
    sys.exit(main())
