"""Checkpoints as C2SP signed notes: a text anybody can read, and Ed25519 signatures under it.

lastword/<log id>            who speaks
1234                         how many leaves
<base64 of the root>
at 2025-11-18T08:00:00.000000Z

— lastword/<log id> <base64 of key id ‖ signature>
"""

import base64
import binascii
import hashlib
from collections.abc import Iterable
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

ORIGIN_PREFIX = "lastword/"
ED25519 = b"\x01"
KEY_ID_BYTES = 4
SIGNATURE_BYTES = 64
ROOT_BYTES = 32
SIZE_DIGITS = 18
DASH = "— "
AT = "at "


class NoteError(ValueError):
    """The text is no checkpoint note of ours."""


@dataclass(frozen=True, slots=True)
class TreeHead:
    """What a checkpoint says: this log had this root at this size."""

    origin: str
    size: int
    root: bytes
    at: str = ""

    def text(self) -> str:
        """The signed text."""
        lines = [self.origin, str(self.size), encode(self.root)]
        if self.at:
            lines.append(AT + self.at)
        return "\n".join(lines) + "\n"


@dataclass(frozen=True, slots=True)
class Signature:
    name: str
    key_id: bytes
    value: bytes


@dataclass(frozen=True, slots=True)
class Note:
    """A tree head with its signatures, as read."""

    head: TreeHead
    signatures: tuple[Signature, ...]


def log_id(first_public_key: bytes) -> str:
    """A log is named after the first key that signed it, so that a forger cannot borrow the name."""
    return hashlib.sha256(b"lastword:log:v1\n" + first_public_key).hexdigest()[:16]


def key_id(name: str, public_key: bytes) -> bytes:
    """How a signature line names its key."""
    return hashlib.sha256(name.encode() + b"\n" + ED25519 + public_key).digest()[:KEY_ID_BYTES]


def sign(head: TreeHead, private_key: Ed25519PrivateKey) -> str:
    """The whole note, signed under the origin's name."""
    text = head.text()
    identity = key_id(head.origin, private_key.public_key().public_bytes_raw())
    return f"{text}\n{DASH}{head.origin} {encode(identity + private_key.sign(text.encode()))}\n"


def parse(note: str) -> Note:
    """Reads a note strictly: whatever is not exactly our shape is refused."""
    text, blank, signed = note.partition("\n\n")
    lines = text.split("\n")
    if not blank or not signed.endswith("\n") or len(lines) not in (3, 4):
        raise NoteError("not a checkpoint note")
    at = ""
    if len(lines) == 4:
        at = lines[3].removeprefix(AT)
        if not at or at == lines[3]:
            raise NoteError("unknown line in the note")
    if not (lines[1].isascii() and lines[1].isdigit() and len(lines[1]) <= SIZE_DIGITS):
        raise NoteError("the size is no number")
    head = TreeHead(origin=lines[0], size=int(lines[1]), root=decode(lines[2], ROOT_BYTES), at=at)
    if head.text() != text + "\n":
        raise NoteError("the note is not written canonically")
    return Note(head, tuple(parse_signature(line) for line in signed[:-1].split("\n")))


def parse_signature(line: str) -> Signature:
    name, _, value = line.removeprefix(DASH).rpartition(" ")
    if not line.startswith(DASH) or not name:
        raise NoteError("a signature line is malformed")
    raw = decode(value, KEY_ID_BYTES + SIGNATURE_BYTES)
    return Signature(name, raw[:KEY_ID_BYTES], raw[KEY_ID_BYTES:])


def signer(note: Note, public_keys: Iterable[bytes]) -> bytes | None:
    """The first of the keys whose signature is on the note; None if it is nobody we know."""
    for public_key in public_keys:
        identity = key_id(note.head.origin, public_key)
        for signature in note.signatures:
            if (signature.name, signature.key_id) == (note.head.origin, identity) and verifies(
                public_key, signature.value, note.head.text().encode()
            ):
                return public_key
    return None


def verifies(public_key: bytes, signature: bytes, message: bytes) -> bool:
    """Whether the key signed the message."""
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def encode(raw: bytes) -> str:
    return base64.b64encode(raw).decode("ascii")


def decode(text: str, length: int) -> bytes:
    """Base64 of exactly this many bytes, in its one canonical spelling."""
    try:
        raw = base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError) as problem:
        raise NoteError("not base64") from problem
    if len(raw) != length or encode(raw) != text:
        raise NoteError("base64 of the wrong length or spelling")
    return raw
