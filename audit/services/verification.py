"""Is the ledger what it was when it was written? One streaming pass over one snapshot."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from uuid import UUID

from django.conf import settings

from audit.errors import MissingNodeError
from audit.ledger.chain import ChainCheck, EventRow
from audit.ledger.findings import Finding, Reason
from audit.selectors.ledger_rows import Scope, event_rows, head_rows, snapshot
from audit.services import keys
from audit.services.verify_checkpoints import KnownHead, known_heads, outside_lines
from audit.services.verify_receipts import check_receipts
from audit.services.verify_tree import check_inclusion, check_tree

MAX_FINDINGS = 100
EVERY = 5000  # events between two reports of progress

Progress = Callable[[int], None]


@dataclass(slots=True)
class Report:
    """What was looked at and what was found; `unchecked` says what could not be looked at, and why."""

    relationships: int = 0
    events: int = 0
    leaves: int = 0
    checkpoints: int = 0
    receipts: int = 0
    head_seq: int = 0
    head_hash: str = ""
    findings: list[Finding] = field(default_factory=list)
    unchecked: list[str] = field(default_factory=list)

    @property
    def first(self) -> Finding | None:
        return self.findings[0] if self.findings else None

    @property
    def ok(self) -> bool:
        return not self.findings and not self.unchecked

    def found(self, finding: Finding | None) -> None:
        if finding is not None and len(self.findings) < MAX_FINDINGS:
            self.findings.append(finding)


def verify(
    *,
    relationship: UUID | None = None,
    since_checkpoint: int | None = None,
    checkpoint_file: Path | None = None,
    receipt_file: Path | None = None,
    anchor: bytes | None = None,
    progress: Progress = lambda events: None,
) -> Report:
    """Checks chains, payloads, leaves, tree, checkpoints (table and outside file) and receipts.

    `since_checkpoint` is a checkpoint's size: only conversations touched since are read, on top of its signed root.
    `anchor` is the public key to trust; without it, the one this process signs with. `progress` is told now and then
    how many events were read, from within the snapshot's transaction.
    """
    report = Report()
    lines = outside_lines(
        checkpoint_file or settings.LASTWORD_CHECKPOINT_FILE,
        is_named=checkpoint_file is not None,
        unchecked=report.unchecked,
    )
    with snapshot():
        heads, findings = known_heads(lines, trusted=keys.trusted_keys(anchor or keys.public_key()))
        check_chains(Scope(relationship, since_checkpoint), report, progress)
        for finding in findings:
            report.found(finding)
        report.checkpoints = len(heads)
        try:
            check_log(heads, relationship, since_checkpoint, report)
        except MissingNodeError as problem:
            report.found(Finding(Reason.NODE_DIFFERS, problem.detail))
        if receipt_file is not None:
            report.receipts, missing = check_receipts(receipt_file, report.unchecked)
            for finding in missing:
                report.found(finding)
    return report


def check_log(heads: list[KnownHead], relationship: UUID | None, since: int | None, report: Report) -> None:
    """One relationship is proved into the newest checkpoint; otherwise the whole tree is grown again."""
    if relationship is not None:
        for finding in check_inclusion(relationship, heads):
            report.found(finding)
        return
    start = next((head for head in heads if head.size == since), None)
    if since and start is None:
        report.unchecked.append(f"there is no checkpoint at {since}")
        return
    report.leaves, wrong = check_tree(heads, start)
    for finding in wrong:
        report.found(finding)


def check_chains(scope: Scope, report: Report, progress: Progress) -> None:
    """Every relationship in scope beside its events; both streams come in the order of relationship ids."""
    heads = head_rows(scope)
    head = next(heads, None)
    for relationship, rows in groupby(event_rows(scope), itemgetter(0)):
        while head is not None and head[0] < relationship:
            report.found(without_events(head[0]))
            head = next(heads, None)
        if head is not None and head[0] == relationship:
            before = report.events
            report.found(check_chain(rows, head, report))
            if report.events // EVERY > before // EVERY:
                progress(report.events)
            head = next(heads, None)
        else:
            report.found(Finding(Reason.RELATIONSHIP_MISSING, "its row is gone", relationship, 1))
    while head is not None:
        report.found(without_events(head[0]))
        head = next(heads, None)


def check_chain(rows: Iterator[EventRow], head: tuple[str, int, str], report: Report) -> Finding | None:
    relationship, report.head_seq, report.head_hash = head
    check = ChainCheck(relationship)
    for row in rows:
        check.take(row)
        report.events += 1
    report.relationships += 1
    return check.finish(head_seq=report.head_seq, head_hash=report.head_hash)


def without_events(relationship: str) -> Finding:
    return Finding(Reason.EVENTS_MISSING, "a relationship without a single event", relationship, 1)
