"""The names of events and their shape in pure code."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from conversations.domain.times import to_text

CREATED = "fir_a_created"
CONTINUATION = "fir_a_continuation"
INTENT = "intent"
RESPONSE_PREFIX = "response_"
CLOSURE = "conversation_closure"
RATED = "conversation_rated"
ERASED = "payload_erased"
OBSERVED = "message_observed"

# A name becomes part of an event type in the header: opaque machine words only, never a sentence about somebody.
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.:-]{0,99}\Z")

AFTER_CLOSURE = frozenset({RATED, ERASED})


@dataclass(frozen=True, slots=True)
class Recorded:
    """An event as it stands in the chain; `payload` is None once erased, and in part or wholly kept from a reader
    who may not see it, which `withheld` says."""

    seq: int
    type: str
    at: datetime
    actor: str
    payload: Mapping[str, Any] | None
    hash: str
    prev_hash: str = field(default="")
    withheld: bool = False

    @property
    def is_response(self) -> bool:
        return self.type.startswith(RESPONSE_PREFIX)

    @property
    def content(self) -> Mapping[str, Any]:
        """The payload, or nothing where it was erased."""
        return self.payload or {}

    def as_json(self) -> dict[str, Any]:
        """The event as every answer and every socket spells it."""
        return {
            "seq": self.seq,
            "type": self.type,
            "at": to_text(self.at),
            "actor": self.actor,
            "payload": self.payload,
            "prev_hash": self.prev_hash,
            "hash": self.hash,
            **({"withheld": True} if self.withheld else {}),
        }
