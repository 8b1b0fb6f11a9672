"""The benchmarks' data is what the application itself would have written."""

import pytest

from audit.services.invariants import violations
from bench import sweep
from bench.bulk import fill
from conversations.models import Relationship


@pytest.mark.django_db(transaction=True)
def test_copied_conversations_keep_every_invariant() -> None:
    """Chains, tree, checkpoints, columns: copies differ from what was told only in whom and when."""
    filled = fill(300)
    assert filled["turns"] >= 300
    assert violations(drained=True) == []
    assert {"active", "closed"} == set(Relationship.objects.values_list("conversation_state", flat=True))


@pytest.mark.django_db
def test_a_database_that_holds_something_is_not_filled() -> None:
    from tests.ledger.cast import conversation

    conversation()
    with pytest.raises(SystemExit):
        fill(1)
    assert Relationship.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_the_sweep_is_timed_over_due_conversations_and_closes_each_once() -> None:
    report = sweep.measured(20)
    assert (report["expired"], report["missed"], report["double"]) == (20, 0, 0)
