"""The chain, checked on this side: links, hashes, contents, and the receipts kept here."""

import hashlib
import hmac
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lastword_client.answers import Event, Head, ServerVerification
from lastword_client.bundle import Sealed
from lastword_client.receipts import Receipt

EVENT_TAG = b"lastword:event:v1\n"
GENESIS = "0" * 64
ERASED = "payload_erased"


@dataclass(frozen=True, slots=True)
class Flaw:
    """Where the chain first breaks, and how."""

    seq: int
    reason: str


@dataclass(frozen=True, slots=True)
class ChainCheck:
    """What this side found: events whose hash was computed anew, receipts compared, the first flaw."""

    events: int
    rehashed: int
    receipts: int
    flaw: Flaw | None

    @property
    def ok(self) -> bool:
        return self.flaw is None


@dataclass(frozen=True, slots=True)
class Verification:
    """Both opinions: the server's of itself, where this key may ask for it, and this side's."""

    server: ServerVerification | None
    local: ChainCheck

    @property
    def ok(self) -> bool:
        return self.local.ok and (self.server is None or self.server.ok)

    @property
    def first_bad_seq(self) -> int | None:
        theirs = self.server.first_bad_seq if self.server else None
        found = (theirs, self.local.flaw.seq if self.local.flaw else None)
        return min((seq for seq in found if seq is not None), default=None)

    @property
    def reason(self) -> str | None:
        """This side's reason first: it needs nobody's word."""
        if self.local.flaw:
            return self.local.flaw.reason
        return self.server.reason if self.server else None


def check_chain(
    relationship: str,
    events: Sequence[Event],
    *,
    head: Head | None,
    receipts: Sequence[Receipt],
    sealed: Mapping[int, Sealed] | None,
) -> ChainCheck:
    """Checks a whole chain as it was shown. `sealed` is what was hashed and committed to, by sequence number; without
    it (a participant's key gets no export) the links, the head and the receipts are all there is to check."""
    flaws = [
        *_broken_links(events),
        *_wrong_head(events, head),
        *(() if sealed is None else _broken_seals(relationship, events, sealed)),
        *_broken_promises(events, receipts),
    ]
    return ChainCheck(
        events=len(events),
        rehashed=sum(event.seq in (sealed or {}) for event in events),
        receipts=len(receipts),
        flaw=min(flaws, key=lambda flaw: flaw.seq, default=None),
    )


def _broken_links(events: Iterable[Event]) -> Iterator[Flaw]:
    before = GENESIS
    for place, event in enumerate(events, start=1):
        if event.seq != place:
            yield Flaw(place, f"event {place} is missing")
            return
        if event.prev_hash != before:
            yield Flaw(place, f"event {place} does not link to the one before it")
            return
        before = event.hash


def _wrong_head(events: Sequence[Event], head: Head | None) -> Iterator[Flaw]:
    last = events[-1] if events else None
    if head is not None and (last is None or (last.seq, last.hash) != (head.seq, head.hash)):
        yield Flaw(head.seq, "the chain does not end where its head says")


def _broken_seals(relationship: str, events: Iterable[Event], sealed: Mapping[int, Sealed]) -> Iterator[Flaw]:
    erasures = _announced_erasures(sealed.values())
    for event in events:
        seal = sealed.get(event.seq)
        if seal is None:
            yield Flaw(event.seq, f"event {event.seq} has no header to compute its hash from")
        elif hashlib.sha256(EVENT_TAG + seal.header.encode()).hexdigest() != event.hash:
            yield Flaw(event.seq, f"the hash of event {event.seq} is not that of its header")
        elif not _header_tells(seal, relationship, event):
            yield Flaw(event.seq, f"event {event.seq} was shown otherwise than it was hashed")
        elif seal.text is None and event.seq not in erasures:
            yield Flaw(event.seq, f"the content of event {event.seq} is gone, and no event says so")
        elif seal.text is not None and not _content_tells(seal, event):
            yield Flaw(event.seq, f"the content of event {event.seq} is not what it commits to")


def _announced_erasures(seals: Iterable[Sealed]) -> set[int]:
    """The events whose erasure an event of the chain announces."""
    told = [_object(seal.text).get("seq") for seal in seals if _object(seal.header).get("type") == ERASED]
    return {seq for seq in told if isinstance(seq, int)}


def _header_tells(seal: Sealed, relationship: str, event: Event) -> bool:
    shown = {
        "relationship": relationship,
        "seq": event.seq,
        "type": event.type,
        "at": event.raw.get("at"),
        "actor": event.actor,
        "prev": event.prev_hash,
    }
    hashed = _object(seal.header)
    return all(hashed.get(name) == value for name, value in shown.items())


def _content_tells(seal: Sealed, event: Event) -> bool:
    text, salt = seal.text or "", seal.salt or b""
    committed = hmac.digest(salt, text.encode(), "sha256").hex()
    return committed == _object(seal.header).get("commitment") and _object(text) == event.payload


def _object(text: str | None) -> dict[str, Any]:
    """The object behind a text that nobody vouches for yet: nonsense is an empty one, which fits nothing."""
    try:
        document = json.loads(text or "{}")
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}


def _broken_promises(events: Iterable[Event], receipts: Iterable[Receipt]) -> Iterator[Flaw]:
    hashes = {event.seq: event.hash for event in events}
    for receipt in receipts:
        if receipt.seq not in hashes:
            yield Flaw(receipt.seq, f"event {receipt.seq} is gone, though its receipt is kept here")
        elif hashes[receipt.seq] != receipt.hash:
            yield Flaw(receipt.seq, f"event {receipt.seq} is not the one its receipt kept here names")
