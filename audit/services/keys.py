"""Who signs the log: the private key from the settings, its public half on record, retired keys vouched for."""

import base64
import binascii
import os
import secrets
from dataclasses import dataclass
from datetime import datetime

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.conf import settings
from django.db import transaction

from audit.errors import SigningKeyError
from audit.ledger import notes
from audit.models import SigningKey

SEED_BYTES = 32
VOUCHER_TAG = b"lastword:key:v1\n"


@dataclass(frozen=True, slots=True)
class Signer:
    """The key in use and the log it speaks for."""

    private_key: Ed25519PrivateKey
    origin: str

    @property
    def public_key(self) -> bytes:
        return self.private_key.public_key().public_bytes_raw()

    @property
    def key_id(self) -> str:
        return notes.key_id(self.origin, self.public_key).hex()


def private_key() -> Ed25519PrivateKey:
    """The key this process was given."""
    return private_key_of(settings.LASTWORD_SIGNING_KEY)


def private_key_of(seed_text: str) -> Ed25519PrivateKey:
    try:
        seed = base64.urlsafe_b64decode(seed_text + "=" * (-len(seed_text) % 4))
        return Ed25519PrivateKey.from_private_bytes(seed)
    except (binascii.Error, ValueError) as problem:
        raise SigningKeyError("LASTWORD_SIGNING_KEY is not base64url of 32 bytes") from problem


def public_key() -> bytes:
    """The public half of this process's key: where trust starts."""
    return private_key().public_key().public_bytes_raw()


def signer(*, now: datetime) -> Signer:
    """The key in use; the first one to sign a log is put on record, any other must have been rotated in."""
    key = private_key()
    public = key.public_key().public_bytes_raw()
    row = SigningKey.objects.filter(public_key=public.hex()).first()
    if row is None and not SigningKey.objects.exists():
        row, _ = SigningKey.objects.get_or_create(public_key=public.hex(), defaults={"created_at": now})
    if row is None or row.voucher:
        raise SigningKeyError(
            f"key {public.hex()[:16]}… does not sign this log: give this process the key in use, "
            "or bring in a new one with `manage.py rotate_signing_key`"
        )
    return Signer(key, origin_of(trusted_keys(public)))


def trusted_keys(anchor: bytes) -> list[bytes]:
    """The anchor and the keys before it, newest first, each vouched for by the one after."""
    trusted = [anchor]
    for _ in range(SigningKey.objects.count()):
        successor = trusted[-1]
        for row in SigningKey.objects.filter(successor=successor.hex()):
            public = bytes.fromhex(row.public_key)
            if public not in trusted and notes.verifies(successor, bytes.fromhex(row.voucher), VOUCHER_TAG + public):
                trusted.append(public)
                break
        else:
            break
    return trusted


def origin_of(trusted: list[bytes]) -> str:
    """The log's name, from its first key."""
    return notes.ORIGIN_PREFIX + notes.log_id(trusted[-1])


def rotate(*, now: datetime) -> str:
    """Retires the key in use for a new one, which vouches for it. Returns the new private key's text.

    The new key is beside the old one before the database knows of it, and in its place after: a crash in between
    loses neither.
    """
    retiring = signer(now=now).public_key
    text = secrets.token_urlsafe(SEED_BYTES)
    successor = private_key_of(text)
    draft = settings.LASTWORD_SIGNING_KEY_FILE.with_suffix(".new")
    with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as out:
        out.write(text)
        out.flush()
        os.fsync(out.fileno())
    with transaction.atomic():
        public = successor.public_key().public_bytes_raw().hex()
        SigningKey.objects.create(public_key=public, created_at=now)
        SigningKey.objects.filter(public_key=retiring.hex()).update(
            successor=public, voucher=successor.sign(VOUCHER_TAG + retiring).hex()
        )
    draft.replace(settings.LASTWORD_SIGNING_KEY_FILE)
    return text
