"""The reusable checker of reliability.md: I1, I3, I4, I5 and I9 over everything the database holds."""

from dataclasses import asdict, replace
from datetime import datetime
from decimal import Decimal
from typing import Any

from conversations.domain import events as names
from conversations.domain.events import Recorded
from conversations.domain.fold import Folded, changes, fold, restored
from conversations.domain.hash_chain import GENESIS, commitment, header_hash
from conversations.models import Event, EventPayload, OutboxMessage, Participant, Relationship
from conversations.selectors.events import chain_of


def assert_history_holds() -> None:
    """Every relationship in the database keeps every invariant."""
    for relationship in Relationship.objects.all():
        chain = restored(chain_of(relationship))
        assert_chain_is_whole(relationship)
        assert_ends_once(relationship, chain)
        assert_intents_are_lawful(relationship, chain)
        assert_columns_are_the_fold(relationship)


def assert_chain_is_whole(relationship: Relationship) -> None:
    """I1: seq 1..n without gap, links and hashes valid, head = last."""
    previous, count = GENESIS, 0
    for event in Event.objects.filter(relationship=relationship).select_related("payload").order_by("seq"):
        count += 1
        assert event.seq == count
        assert event.prev_hash == previous
        assert event.hash == header_hash(event.header)
        if payload := getattr(event, "payload", None):
            assert event.commitment == commitment(bytes(payload.salt), payload.text)
        previous = event.hash
    assert (relationship.head_seq, relationship.head_hash) == (count, previous)
    assert count >= 1


def assert_ends_once(relationship: Relationship, chain: list[Recorded]) -> None:
    """I4: at most one closure; only what may follow a closure follows it."""
    closures = [event.seq for event in chain if event.type == names.CLOSURE]
    assert len(closures) <= 1
    assert (relationship.conversation_state == "closed") == bool(closures)
    if closures:
        assert {event.type for event in chain if event.seq > closures[0]} <= names.AFTER_CLOSURE


def assert_intents_are_lawful(relationship: Relationship, chain: list[Recorded]) -> None:
    """I3 and I5: never more intents than allowed, none after expiry or before its appointment."""
    intents = [event for event in chain if event.type == names.INTENT]
    assert len(intents) <= relationship.max_depth
    state = Folded()
    for event in chain:
        if event.type == names.INTENT:
            assert state.expires_at is not None
            assert event.at <= state.expires_at
            assert state.appointment_start is None or event.at >= state.appointment_start
        state = replace(state, **changes(state, event))


def assert_columns_are_the_fold(relationship: Relationship) -> None:
    """I9: the stored columns are what the events alone say."""
    told = asdict(fold(chain_of(relationship)))
    row = Relationship.objects.get(pk=relationship.pk)
    stored = {column: getattr(row, column) for column in told}
    assert {name: comparable(value) for name, value in stored.items()} == {
        name: comparable(value) for name, value in told.items()
    }


def comparable(value: Any) -> Any:
    """A moment or a decimal in one spelling, whichever database it came from."""
    if isinstance(value, datetime):
        return value.isoformat()
    return value.normalize() if isinstance(value, Decimal) else value


def snapshot() -> dict[str, Any]:
    """Everything a refused request must leave alone: rows, heads, columns."""
    return {
        "relationships": list(Relationship.objects.order_by("pk").values()),
        "events": list(Event.objects.order_by("pk").values_list("pk", "hash")),
        "payloads": EventPayload.objects.count(),
        "outbox": OutboxMessage.objects.count(),
        "participants": Participant.objects.count(),
    }
