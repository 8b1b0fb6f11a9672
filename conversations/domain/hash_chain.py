"""The chain: a header without personal data, a salted commitment to the payload, a link to the event before."""

import hashlib
import hmac
from dataclasses import dataclass

from conversations.domain.canonical import canonical_text

LEDGER_VERSION = 1
EVENT_TAG = "lastword:event:v1\n"
GENESIS = "0" * 64
SALT_BYTES = 32


@dataclass(frozen=True, slots=True)
class Header:
    """What is hashed. `actor` is opaque (a kind and an id), so that erasing payloads leaves nobody named."""

    relationship: str
    seq: int
    type: str
    at: str
    actor: str
    commitment: str
    prev: str
    version: int = LEDGER_VERSION

    def text(self) -> str:
        """The canonical header, stored verbatim."""
        return canonical_text(
            {
                "actor": self.actor,
                "at": self.at,
                "commitment": self.commitment,
                "prev": self.prev,
                "relationship": self.relationship,
                "seq": self.seq,
                "type": self.type,
                "version": self.version,
            }
        )


def header_hash(header_text: str) -> str:
    """SHA-256 of the stored header under its domain tag, in hex."""
    return hashlib.sha256((EVENT_TAG + header_text).encode()).hexdigest()


def commitment(salt: bytes, payload_text: str) -> str:
    """HMAC-SHA-256 of the canonical payload under its random salt: binding, and silent once the salt is gone."""
    return hmac.digest(salt, payload_text.encode(), "sha256").hex()
