"""Erasure takes the words, leaves the chain, and is itself on record."""

from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from audit.services.verification import verify
from conversations.domain.errors import ConversationError
from conversations.domain.events import ERASED
from conversations.models import Event, EventPayload, Relationship
from conversations.selectors.events import chain_of
from conversations.services.erasure import erase_payloads
from tests.ledger.cast import checkpoint, conversation

pytestmark = pytest.mark.django_db


def erase(relationship: Relationship, **changed: Any) -> list[Any]:
    told = {"seqs": None, "basis": "GDPR art. 17", "by": "user:7", "now": timezone.now()}
    return erase_payloads(relationship_id=relationship.pk, **{**told, **changed})


def test_the_words_go_and_the_chain_says_who_erased_them_and_why() -> None:
    relationship = conversation()

    [mark] = erase(relationship, seqs=[2])

    told = {event.seq: event for event in chain_of(relationship)}
    assert told[2].payload is None
    assert (mark.type, mark.actor) == (ERASED, "user:7")
    assert mark.payload == {"seq": 2, "basis": "GDPR art. 17", "by": "user:7", "kept": {}}
    assert told[3].payload is not None


@pytest.mark.parametrize("close", [False, True])
def test_an_erased_conversation_still_verifies_open_or_closed(close: bool) -> None:
    relationship = conversation(close=close)
    checkpoint()

    erase(relationship)
    checkpoint()

    assert verify().findings == []
    assert verify(relationship=relationship.pk).findings == []


def test_nothing_personal_is_left_anywhere_in_the_conversation() -> None:
    relationship = conversation(close=True)

    erase(relationship)

    row = Relationship.objects.filter(pk=relationship.pk).values().get()
    left = [*EventPayload.objects.values_list("text", flat=True), *Event.objects.values_list("header", flat=True)]
    for word in ("Löwe", "wants a table", "did:ada", "book_"):
        assert word not in str([row, left])


def test_terms_and_figures_survive_the_erasure() -> None:
    relationship = conversation(close=True)

    erase(relationship)

    after = Relationship.objects.get(pk=relationship.pk)
    for column in ("initiator_id", "max_depth", "conversation_depth", "expires_at", "closed_at", "closure_type"):
        assert getattr(after, column) == getattr(relationship, column), column
    assert after.outcome == relationship.outcome
    assert after.closure_event["conversation_summary"]["total_intents"] == 2
    assert after.head_seq == relationship.head_seq * 2


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"seqs": [99]}, "not_found"),
        ({"seqs": [3, 2]}, "not_erasable"),
        ({"seqs": [6]}, "not_erasable"),
        ({"basis": "  "}, "invalid"),
        ({"basis": "x" * 201}, "invalid"),
    ],
    ids=["unknown event", "already erased", "the mark of an erasure", "no basis", "a novel as basis"],
)
def test_a_refused_erasure_changes_nothing(changed: dict[str, Any], code: str) -> None:
    relationship = conversation()
    erase(relationship, seqs=[2])
    before = (EventPayload.objects.count(), Event.objects.count())

    with pytest.raises(ConversationError) as refusal:
        erase(relationship, **changed)

    assert refusal.value.code == code
    assert (EventPayload.objects.count(), Event.objects.count()) == before


def test_an_unknown_conversation_is_refused() -> None:
    with pytest.raises(ConversationError) as refusal:
        erase(Relationship(pk=uuid4()))
    assert refusal.value.code == "not_found"


def test_erasing_everything_twice_is_refused() -> None:
    relationship = conversation()
    erase(relationship)
    with pytest.raises(ConversationError) as refusal:
        erase(relationship)
    assert refusal.value.figures == {"reason": "erased"}


def test_the_command_erases_and_names_a_refusal() -> None:
    relationship = conversation()
    out = StringIO()

    call_command("erase_payloads", str(relationship.pk), "--basis", "request of 3 May", "--seq", "2", "3", stdout=out)

    assert out.getvalue() == "2 payloads erased\n"
    with pytest.raises(CommandError, match="not_erasable"):
        call_command("erase_payloads", str(relationship.pk), "--basis", "again", "--seq", "2")
