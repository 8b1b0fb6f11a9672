"""Every event gets a leaf, every leaf one number, whoever and how many do the numbering."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction

from audit.models import Leaf, MerkleNode
from audit.selectors.tree import root_at, tree_size
from audit.services import sequencer
from audit.services.sequencer import sequence
from audit.services.verification import verify
from conversations.models import Event
from tests.ledger.cast import conversation, say
from tests.ledger.test_merkle import recursive_root


def numbered() -> list[int]:
    return list(Leaf.objects.order_by("index").values_list("index", flat=True))


@pytest.mark.django_db
def test_the_database_gives_every_event_a_leaf_with_its_hash() -> None:
    conversation()
    events = dict(Event.objects.values_list("pk", "hash"))
    assert dict(Leaf.objects.values_list("event_id", "hash")) == events
    assert set(Leaf.objects.values_list("index", flat=True)) == {None}


@pytest.mark.django_db
@pytest.mark.parametrize("batch", [1, 3, 5000])
def test_leaves_are_numbered_without_gap_and_the_tree_stored(batch: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sequencer, "BATCH", batch)
    conversation(exchanges=6)
    assert sequence() == 13
    assert sequence() == 0
    assert numbered() == list(range(13))
    hashes = [bytes.fromhex(text) for text in Leaf.objects.order_by("index").values_list("hash", flat=True)]
    for size in range(1, 14):
        assert root_at(size) == recursive_root(hashes[:size])
    assert MerkleNode.objects.count() == 13 - bin(13).count("1")


@pytest.mark.django_db
def test_a_run_ends_although_somebody_goes_on_writing(monkeypatch: pytest.MonkeyPatch) -> None:
    relationship, batch, said = conversation(exchanges=0), sequencer.sequence_batch, 0

    def meanwhile(*, wait: bool) -> int:
        nonlocal said
        done = batch(wait=wait)
        said += 1
        assert said < 20, "a signature that waits for the end of this run never comes"
        say(relationship.pk, "noted")
        return done

    monkeypatch.setattr(sequencer, "sequence_batch", meanwhile)
    assert sequence(wait=True) == 1
    assert sequence(wait=True) == 1, "what came meanwhile is the next run's"


@pytest.mark.postgres  # SQLite has one writer: ids commit in order
@pytest.mark.django_db(transaction=True)
def test_a_lower_id_that_commits_later_is_numbered_later_not_lost() -> None:
    relationship, other = conversation(exchanges=0), conversation(exchanges=0)
    sequence()
    wrote, go_on = threading.Event(), threading.Event()

    def slow_writer() -> None:
        try:
            with transaction.atomic():
                say(relationship.pk, "noted")
                wrote.set()
                assert go_on.wait(20)
        finally:
            connection.close()

    writer = threading.Thread(target=slow_writer)
    writer.start()
    assert wrote.wait(20)
    say(other.pk, "noted")  # a higher id, committed first
    assert sequence() == 1
    go_on.set()
    writer.join(20)

    assert sequence() == 1
    assert numbered() == [0, 1, 2, 3]
    assert verify().findings == []


@pytest.mark.django_db(transaction=True)
def test_many_writers_and_several_sequencers_leave_one_gapless_log() -> None:
    relationships = [conversation(exchanges=0).pk for _ in range(4)]

    def work(number: int) -> None:
        try:
            for _ in range(5):
                say(relationships[number % 4], "noted")
                sequence(wait=number % 2 == 0)
        finally:
            connection.close()

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(work, range(6)))
    sequence(wait=True)

    assert numbered() == list(range(4 + 30))
    assert tree_size() == 34
    assert verify().findings == []


@pytest.mark.django_db
def test_a_sequencer_that_finds_another_at_work_leaves_it_to_it(monkeypatch: pytest.MonkeyPatch) -> None:
    conversation()
    monkeypatch.setattr(sequencer, "sequence_batch", lambda *, wait: 0)
    assert sequence() == 0
