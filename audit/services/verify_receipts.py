"""Receipts somebody kept: the one thing a thief of the signing key cannot take back."""

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

from django.db.models import Q

from audit.ledger.findings import Finding, Reason
from conversations.models import Event

CHUNK = 200


class Receipt(NamedTuple):
    """What an answer of the API promised: this event has this hash."""

    relationship: UUID
    seq: int
    hash: str


def check_receipts(file: Path, unchecked: list[str]) -> tuple[int, list[Finding]]:
    """Holds a JSONL file of `{relationship, seq, hash}` against the ledger. Returns how many were checked."""
    count = 0
    findings: list[Finding] = []
    try:
        with file.open(encoding="utf-8") as lines:
            receipts = read_receipts(lines, unchecked)
            while chunk := list(islice(receipts, CHUNK)):
                count += len(chunk)
                findings.extend(broken_promises(chunk))
    except (OSError, UnicodeDecodeError) as problem:
        unchecked.append(f"the receipts cannot be read: {problem}")
    return count, findings


def read_receipts(lines: Iterator[str], unchecked: list[str]) -> Iterator[Receipt]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            told = json.loads(line)
            yield Receipt(UUID(told["relationship"]), int(told["seq"]), str(told["hash"]))
        except (ValueError, KeyError, TypeError, AttributeError):
            unchecked.append(f"line {number} of the receipts is none")


def broken_promises(receipts: list[Receipt]) -> Iterator[Finding]:
    named = Q()
    for receipt in receipts:
        named |= Q(relationship=receipt.relationship, seq=receipt.seq)
    held = {
        (relationship, seq): value
        for relationship, seq, value in Event.objects.filter(named).values_list("relationship", "seq", "hash")
    }
    for receipt in receipts:
        value = held.get((receipt.relationship, receipt.seq))
        if value != receipt.hash:
            reason = Reason.RECEIPT_MISSING if value is None else Reason.RECEIPT_DIFFERS
            yield Finding(reason, "not the event a receipt was given for", str(receipt.relationship), receipt.seq)
