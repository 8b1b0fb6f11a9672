"""A sound ledger verifies, whole, one conversation at a time, or since a checkpoint."""

import pytest

from audit.services.verification import verify
from tests.ledger.cast import checkpoint, conversation, say

pytestmark = pytest.mark.django_db


def test_an_empty_ledger_is_sound() -> None:
    assert verify().ok


def test_a_ledger_with_open_and_closed_conversations_is_sound() -> None:
    conversation(exchanges=3, close=True)
    first = checkpoint()
    conversation(exchanges=1)
    checkpoint()
    conversation()  # not yet numbered

    report = verify()

    assert (report.findings, report.unchecked) == ([], [])
    assert (report.relationships, report.events, report.leaves) == (3, 8 + 3 + 5, 11)
    assert report.checkpoints == 4  # two in the table, the same two outside
    since = verify(since_checkpoint=first.size)
    assert (since.ok, since.relationships, since.leaves) == (True, 2, 11)


def test_one_conversation_is_verified_alone() -> None:
    conversation()
    relationship = conversation(close=True)
    checkpoint()
    say(relationship.pk, "conversation_rated", score=5)

    report = verify(relationship=relationship.pk)

    assert (report.findings, report.unchecked) == ([], [])
    assert (report.events, report.head_seq) == (7, 7)


@pytest.mark.parametrize("size", range(1, 12))
def test_verification_since_any_checkpoint_needs_only_what_came_after(size: int) -> None:
    relationship = conversation(exchanges=0)
    for _ in range(size - 1):
        say(relationship.pk, "noted")
    assert checkpoint().size == size
    for _ in range(3):
        say(relationship.pk, "noted")
    checkpoint()

    assert verify(since_checkpoint=size).findings == []


def test_a_checkpoint_that_was_never_made_cannot_be_verified_from() -> None:
    conversation()
    checkpoint()

    report = verify(since_checkpoint=3)

    assert report.unchecked == ["there is no checkpoint at 3"]
