"""The pipeline: one message, one transaction, read from top to bottom.

    ingest → invariants (raise) → driver (guards answer, it decides) → events → loop review (report) → outbox, broadcast

Which drivers and reviews there are is listed in `conversations.registry`; a message never travels back.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from conversations.domain.errors import ConversationError
from conversations.domain.events import Recorded
from conversations.domain.messages import Inbound
from conversations.drivers.base import Driver
from conversations.models import ApiKey, Relationship
from conversations.registry import REVIEWS, driver_for
from conversations.selectors.relationships import locked
from conversations.services import event_store
from conversations.services.closing import SYSTEM, closed, settled
from conversations.services.receipts import answer_given, keep_answer


@dataclass(frozen=True, slots=True)
class Admission:
    """A message that was let in: the conversation after it, what was recorded, and what the driver answered."""

    relationship: Relationship
    events: list[Recorded]
    answer: dict[str, Any]


def ingest(message: Inbound, *, caller: ApiKey | None) -> Admission:
    """Admits one message, or raises the named refusal — after the commit where the refusal closed the conversation."""
    with transaction.atomic():
        relationship = locked(message.relationship_id, caller=caller)
        now = timezone.now()
        driver = driver_for(relationship, message)  # first of all: another kind of message may have had the same id
        if message.dedupe is not None:
            given = answer_given(relationship, message.dedupe, fingerprint=message.fingerprint)
            if given is not None:
                return Admission(relationship, [], given)
        try:
            driver.check(relationship, message, now=now)
        except ConversationError as refusal:
            refused = settled(relationship, refusal, now=now)
        else:
            return decided_by(driver, relationship, message, now=now)
    raise refused


def decided_by(driver: Driver, relationship: Relationship, message: Inbound, *, now: datetime) -> Admission:
    """The driver's decision, recorded and reviewed; the conversation may end with it."""
    decided = driver.decide(relationship, message, now=now)
    recorded = [event_store.append(relationship, new, now=now) for new in decided.events]
    answer = decided.answer
    for review in REVIEWS:
        answer = {**answer, **review(relationship, recorded, now=now, ending=decided.closes is not None)}
    if decided.closes is not None:
        closed(relationship, closure_type=decided.closes, actor=SYSTEM, now=now)
    if message.dedupe is not None:
        answer = {message.id_field: message.dedupe, "duplicate": False, **answer}
        keep_answer(relationship, message.dedupe, answer, now=now, fingerprint=message.fingerprint)
    return Admission(relationship, recorded, answer)
