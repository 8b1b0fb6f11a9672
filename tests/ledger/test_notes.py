"""Checkpoints are C2SP signed notes, and nothing that merely looks like one is taken for one."""

import base64
import hashlib

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from audit.ledger import notes
from audit.ledger.notes import NoteError, TreeHead

KEY = Ed25519PrivateKey.from_private_bytes(b"k" * 32)
PUBLIC = KEY.public_key().public_bytes_raw()
OTHER = Ed25519PrivateKey.from_private_bytes(b"o" * 32).public_key().public_bytes_raw()
HEAD = TreeHead("lastword/0123456789abcdef", 7, bytes(range(32)), "2025-11-18T08:00:00.000000Z")


def test_a_note_is_written_as_the_specification_says() -> None:
    text, signature = notes.sign(HEAD, KEY).split("\n\n")
    assert text.split("\n") == [
        "lastword/0123456789abcdef",
        "7",
        base64.b64encode(bytes(range(32))).decode(),
        "at 2025-11-18T08:00:00.000000Z",
    ]
    dash, name, value = signature.removesuffix("\n").split(" ")
    assert (dash, name) == ("—", HEAD.origin)
    raw = base64.b64decode(value)
    assert raw[:4] == hashlib.sha256(HEAD.origin.encode() + b"\n\x01" + PUBLIC).digest()[:4]
    KEY.public_key().verify(raw[4:], (text + "\n").encode())


@pytest.mark.parametrize("at", ["", "2025-11-18T08:00:00.000000Z"])
def test_a_note_is_read_back_and_its_signer_known(at: str) -> None:
    head = TreeHead(HEAD.origin, 0, HEAD.root, at)
    note = notes.parse(notes.sign(head, KEY))
    assert note.head == head
    assert notes.signer(note, [OTHER, PUBLIC]) == PUBLIC
    assert notes.signer(note, [OTHER]) is None


@given(st.data())
def test_a_note_with_any_character_changed_is_refused_or_signed_by_nobody(data: st.DataObject) -> None:
    text = notes.sign(HEAD, KEY)
    position = data.draw(st.integers(0, len(text) - 1))
    changed = text[:position] + data.draw(st.characters(codec="utf-8")) + text[position + 1 :]
    if changed == text:
        return
    try:
        note = notes.parse(changed)
    except NoteError:
        return
    assert notes.signer(note, [PUBLIC]) is None


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("\n7\n", "\n07\n"),
        ("\n7\n", "\n-7\n"),
        ("\n7\n", "\n٧\n"),
        ("\n7\n", "\n" + "9" * 5000 + "\n"),
        ("AAEC", "AAE="),
        ("AAEC", "AA C"),
        ("at 2025", "on 2025"),
        ("at 2025-11-18T08:00:00.000000Z", "at "),
        ("\n\n", "\n"),
        ("\n— ", "\n- "),
        ("— lastword/0123456789abcdef", "— "),
    ],
)
def test_what_is_not_exactly_a_note_is_refused(old: str, new: str) -> None:
    text = notes.sign(HEAD, KEY)
    assert old in text
    with pytest.raises(NoteError):
        notes.parse(text.replace(old, new, 1))


def test_a_log_is_named_after_its_first_key() -> None:
    assert notes.log_id(PUBLIC) != notes.log_id(OTHER)
