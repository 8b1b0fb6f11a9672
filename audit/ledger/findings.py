"""What a verification can find, each with a code of its own."""

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any


class Reason(StrEnum):
    HEADER_HASH = "header_hash"
    COLUMNS_DIFFER = "columns_differ"
    SEQ_GAP = "seq_gap"
    LINK_BROKEN = "link_broken"
    PAYLOAD_DIFFERS = "payload_differs"
    PAYLOAD_MISSING = "payload_missing"
    CLOSURE_DIFFERS = "closure_differs"
    HEAD_DIFFERS = "head_differs"
    EVENTS_MISSING = "events_missing"
    RELATIONSHIP_MISSING = "relationship_missing"
    LEAF_MISSING = "leaf_missing"
    LEAF_DIFFERS = "leaf_differs"
    LEAF_GAP = "leaf_gap"
    LEAF_ORPHANED = "leaf_orphaned"
    NODE_DIFFERS = "node_differs"
    NOT_IN_CHECKPOINT = "not_in_checkpoint"
    CHECKPOINT_MALFORMED = "checkpoint_malformed"
    CHECKPOINT_UNKNOWN_KEY = "checkpoint_unknown_key"
    CHECKPOINT_DIFFERS = "checkpoint_differs"
    CHECKPOINT_MISSING = "checkpoint_missing"
    ROLLED_BACK = "rolled_back"
    RECEIPT_MISSING = "receipt_missing"
    RECEIPT_DIFFERS = "receipt_differs"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing wrong. Where no event can be blamed for certain, it names the first that may be."""

    reason: Reason
    detail: str
    relationship: str | None = None
    seq: int | None = None

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    def __str__(self) -> str:
        where = f"relationship {self.relationship}, event {self.seq}: " if self.relationship else ""
        return f"{where}{self.reason}: {self.detail}"
