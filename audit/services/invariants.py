"""What must hold after every test of concurrency and every fault (reliability.md, I1-I12), over the whole database.

I13 (no 5xx outside the fault) and I14 (what the client shows) are a client's to see: `bench/faults.py` checks them.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.db.models import Count
from django.utils import timezone

from audit.ledger.findings import Reason
from audit.services.invariants_of_people import left_open, said_twice, spoken_out_of_turn
from audit.services.verification import verify
from conversations.domain import events as names
from conversations.domain.events import Recorded
from conversations.domain.fold import Folded, changes, fold, restored
from conversations.models import Event, IdempotencyRecord, OutboxMessage, Relationship
from conversations.models.outbox import UNSETTLED
from conversations.selectors.events import chain_of

# what the verification finds about chains and receipts; all else it finds is about the log (I10)
INVARIANT_OF = {
    Reason.HEADER_HASH: "I1",
    Reason.COLUMNS_DIFFER: "I1",
    Reason.SEQ_GAP: "I1",
    Reason.LINK_BROKEN: "I1",
    Reason.PAYLOAD_DIFFERS: "I1",
    Reason.PAYLOAD_MISSING: "I1",
    Reason.CLOSURE_DIFFERS: "I1",
    Reason.HEAD_DIFFERS: "I1",
    Reason.EVENTS_MISSING: "I1",
    Reason.RELATIONSHIP_MISSING: "I1",
    Reason.RECEIPT_MISSING: "I2",
    Reason.RECEIPT_DIFFERS: "I2",
}


@dataclass(frozen=True, slots=True)
class Violation:
    """An invariant that does not hold, and where."""

    invariant: str
    detail: str

    def __str__(self) -> str:
        return f"{self.invariant} {self.detail}"


def violations(*, receipts: Path | None = None, drained: bool = False) -> list[Violation]:
    """Every violation found; `drained` also demands that nothing waits: in the outbox (I8), or half done (I12)."""
    found = [*ledger_violations(receipts), *effect_violations(drained=drained)]
    if drained:
        found.extend(Violation(*told) for told in left_open(now=timezone.now()))
    for relationship in Relationship.objects.order_by("pk").iterator():
        found.extend(relationship_violations(relationship))
    return found


def ledger_violations(receipts: Path | None) -> Iterator[Violation]:
    """I1, I2 and I10, as the verification finds them."""
    report = verify(receipt_file=receipts)
    for finding in report.findings:
        yield Violation(INVARIANT_OF.get(finding.reason, "I10"), str(finding))
    for reason in report.unchecked:
        yield Violation("I10", f"could not be checked: {reason}")


def effect_violations(*, drained: bool) -> Iterator[Violation]:
    """I7: an answered key has its answer. I8: every event is announced, and nothing is left waiting.

    That neither happens twice is the tables' own unique constraints.
    """
    for record in IdempotencyRecord.objects.filter(status=0):
        yield Violation("I7", f"key {record.key} took effect without an answer")
    announced = Event.objects.annotate(audience=Count("outbox")).exclude(audience__gte=1)
    for event in announced.values("relationship_id", "seq")[:20]:
        yield Violation("I8", f"event {event['seq']} of {event['relationship_id']} was never announced")
    waiting = OutboxMessage.objects.filter(UNSETTLED).count() if drained else 0
    if waiting:
        yield Violation("I8", f"{waiting} messages wait in the outbox")


def relationship_violations(relationship: Relationship) -> Iterator[Violation]:
    """I3 to I7, I9 and I11 of one conversation."""
    chain = restored(chain_of(relationship))
    name = str(relationship.pk)
    intents = sum(event.type == names.INTENT for event in chain)
    if intents > relationship.max_depth:
        yield Violation("I3", f"{name}: {intents} intents, at most {relationship.max_depth}")
    closures = [event.seq for event in chain if event.type == names.CLOSURE]
    if len(closures) > 1:
        yield Violation("I4", f"{name}: closed {len(closures)} times, at {closures}")
    for event in chain:
        if closures and event.seq > closures[0] and event.type not in names.AFTER_CLOSURE | {names.CLOSURE}:
            yield Violation("I4", f"{name}: event {event.seq} ({event.type}) follows the closure")
    for invariant, detail in (*said_twice(chain), *spoken_out_of_turn(chain)):
        yield Violation(invariant, f"{name}: {detail}")
    yield from untimely_intents(name, chain)
    yield from strayed_columns(relationship, chain)


def untimely_intents(name: str, chain: list[Recorded]) -> Iterator[Violation]:
    """I5: an intent after expiry, or before its appointment."""
    state = Folded()
    for event in chain:
        if event.type == names.INTENT:
            late = state.expires_at is not None and event.at > state.expires_at
            early = state.appointment_start is not None and event.at < state.appointment_start
            if late or early:
                yield Violation("I5", f"{name}: intent {event.seq} came {'late' if late else 'early'}")
        state = replace(state, **changes(state, event))


def strayed_columns(relationship: Relationship, chain: list[Recorded]) -> Iterator[Violation]:
    """I9: the columns say what the events alone say."""
    for column, told in asdict(fold(chain)).items():
        stored = getattr(relationship, column)
        if comparable(stored) != comparable(told):
            yield Violation("I9", f"{relationship.pk}: {column} is {stored!r}, the events say {told!r}")


def comparable(value: Any) -> Any:
    """A moment or a decimal in one spelling, whichever database it came from."""
    if isinstance(value, datetime):
        return value.isoformat()
    return value.normalize() if isinstance(value, Decimal) else value
