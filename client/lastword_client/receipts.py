"""Receipts: the `{seq, hash}` the server vouched for, kept where the server cannot reach them."""

import json
import threading
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, order=True)
class Receipt:
    """At `seq` of this relationship the chain had this hash."""

    relationship: str
    seq: int
    hash: str

    def line(self) -> str:
        """The receipt as one line of JSON."""
        return json.dumps({"relationship": self.relationship, "seq": self.seq, "hash": self.hash})


class ReceiptBook:
    """A thread-safe set of receipts. Two hashes for one seq are both kept: they convict the server."""

    def __init__(self, receipts: Iterable[Receipt] = ()) -> None:
        self._lock = threading.Lock()
        self._by_relationship: dict[str, set[Receipt]] = {}
        self.keep(receipts)

    @classmethod
    def from_jsonl(cls, lines: Iterable[str]) -> "ReceiptBook":
        """The book behind lines written by `to_jsonl`; blank lines are skipped."""
        documents = (json.loads(line) for line in lines if line.strip())
        return cls(Receipt(item["relationship"], item["seq"], item["hash"]) for item in documents)

    def keep(self, receipts: Iterable[Receipt]) -> None:
        with self._lock:
            for receipt in receipts:
                self._by_relationship.setdefault(receipt.relationship, set()).add(receipt)

    def of(self, relationship: str) -> list[Receipt]:
        """What is known of one relationship, in chain order; a snapshot."""
        with self._lock:
            return sorted(self._by_relationship.get(relationship, ()))

    def forget(self, relationship: str) -> None:
        """Drops a relationship's receipts, once exported or no longer of interest."""
        with self._lock:
            self._by_relationship.pop(relationship, None)

    def to_jsonl(self) -> str:
        """All receipts, one JSON object a line, in a stable order."""
        return "".join(f"{receipt.line()}\n" for receipt in self)

    def __iter__(self) -> Iterator[Receipt]:
        with self._lock:
            return iter(sorted(receipt for kept in self._by_relationship.values() for receipt in kept))

    def __len__(self) -> int:
        with self._lock:
            return sum(len(kept) for kept in self._by_relationship.values())


def receipts_in(document: object, relationship: str | None = None) -> Iterator[Receipt]:
    """Every receipt an answer or a refusal carries; `relationship` is the one its path named."""
    if not isinstance(document, Mapping):
        return
    # a relationship names itself by `id`, a closure by `fir_a_id`; other answers rely on the path
    named = document.get("id") if "initiator" in document else document.get("fir_a_id")
    own = named or relationship
    if own is None:
        return
    for link in (document, document.get("event"), document.get("head"), document.get("closure_event")):
        if isinstance(link, Mapping) and _is_link(link):
            yield Receipt(str(own), link["seq"], link["hash"])


def _is_link(candidate: Mapping[str, Any]) -> bool:
    return isinstance(candidate.get("seq"), int) and isinstance(candidate.get("hash"), str)
