"""Finding events by party, type, actor, time and words, on whichever database."""

from collections.abc import Mapping
from datetime import timedelta
from uuid import UUID

import pytest
from django.contrib.auth import get_user_model
from django.utils import timezone

from audit.models import EventEntry
from audit.search.question import question_of
from audit.selectors import event_search
from audit.selectors.event_search import found
from audit.selectors.trails import Trace, traces_of
from audit.services.indexing import index_events
from audit.services.sequencer import sequence
from conversations.domain.errors import ConversationError
from conversations.models import Event, Relationship
from conversations.services.erasure import erase_payloads
from tests.ledger.cast import conversation, say

pytestmark = pytest.mark.django_db


def indexed() -> int:
    sequence()
    return index_events()


def search(**told: str) -> list[Trace]:
    question = question_of(told, now=timezone.now())
    assert question.problems == {}
    return traces_of(found(question).keys)


def seqs(traces: list[Trace]) -> list[int | None]:
    return [trace.seq for trace in traces]


def test_everything_is_found_newest_first() -> None:
    conversation()
    indexed()
    assert seqs(search()) == [5, 4, 3, 2, 1]


def test_an_event_is_indexed_once_however_often_the_job_runs() -> None:
    relationship = conversation()
    assert (indexed(), indexed()) == (5, 0)
    say(relationship.pk, "noted", text="more")
    assert indexed() == 1
    assert EventEntry.objects.count() == Event.objects.count() == 6


def test_an_event_without_a_number_waits_for_one() -> None:
    conversation()
    assert index_events() == 0
    assert indexed() == 5


def test_words_are_found_whatever_their_case_and_accents() -> None:
    conversation()
    indexed()
    assert seqs(search(q="lowe")) == [4, 2]
    assert seqs(search(q="LÖWE book_1")) == [4]
    assert seqs(search(q="boo*")) == [4, 2]
    assert search(q="nobody") == []


def test_every_filter_narrows_and_they_combine() -> None:
    conversation()
    indexed()
    assert seqs(search(type="intent")) == [4, 2]
    assert seqs(search(actor="participant:x", type="response_accepted")) == [5, 3]
    assert seqs(search(party="did:bob", type="intent", q="book_0")) == [2]
    assert search(party="did:nobody") == []
    assert search(actor="nobody") == []


def test_a_party_is_found_on_either_side_and_by_the_beginning_of_its_name() -> None:
    conversation(exchanges=0)
    indexed()
    for handle in ("did:ada", "did:bob", "did:"):
        assert seqs(search(party=handle)) == [1], handle


def test_a_colleague_is_found_by_name() -> None:
    user = get_user_model().objects.create_user("anna")
    relationship = conversation(exchanges=0)
    erase_payloads(relationship_id=relationship.pk, seqs=[1], basis="b", by=f"user:{user.pk}", now=timezone.now())
    indexed()
    assert [trace.what for trace in search(actor="anna")] == ["payload_erased"]


def test_a_period_has_both_its_ends() -> None:
    conversation(exchanges=0)
    indexed()
    tomorrow = (timezone.now() + timedelta(days=1)).date().isoformat()
    today = timezone.now().date().isoformat()
    assert seqs(search(since=today, until=today)) == [1]
    assert search(since=tomorrow, until=tomorrow) == []


def test_erased_words_are_found_no_more_and_the_event_still_is() -> None:
    relationship = conversation()
    indexed()
    erase_payloads(relationship_id=relationship.pk, seqs=[2], basis="art. 17", by="user:1", now=timezone.now())
    assert seqs(search(q="lowe")) == [4]
    erased = next(trace for trace in search(type="intent") if trace.seq == 2)
    assert (erased.payload, erased.excerpt) == (None, "")


def test_what_was_erased_before_it_was_indexed_never_gets_in() -> None:
    relationship = conversation()
    erase_payloads(relationship_id=relationship.pk, seqs=[2], basis="art. 17", by="user:1", now=timezone.now())
    indexed()
    assert seqs(search(q="lowe")) == [4]


def test_pages_follow_each_other_without_gap_or_repeat(monkeypatch: pytest.MonkeyPatch) -> None:
    conversation(exchanges=5)
    indexed()
    monkeypatch.setattr(event_search, "PAGE", 3)
    for told in ({}, {"q": "lowe"}, {"party": "did:ada"}, {"q": "lowe", "party": "did:ada"}):
        assert leafed(told) == seqs_of_all(told, monkeypatch), told


def leafed(told: Mapping[str, str]) -> list[int]:
    keys: list[int] = []
    before: dict[str, str] = {}
    while True:
        page = found(question_of({**told, **before}, now=timezone.now()))
        keys += page.keys
        if page.next is None:
            return keys
        before = {"before": str(page.next)}


def seqs_of_all(told: Mapping[str, str], monkeypatch: pytest.MonkeyPatch) -> list[int]:
    with monkeypatch.context() as patch:
        patch.setattr(event_search, "PAGE", 1000)
        return found(question_of(dict(told), now=timezone.now())).keys


def test_common_words_in_a_broad_filter_are_looked_for_in_bounded_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words lead where the filter is broad; the page says how far back it looked, and the next goes on from there."""
    conversation(exchanges=8)
    conversation(exchanges=8)
    indexed()
    told = {"q": "lowe", "type": "intent"}
    whole = seqs_of_all(told, monkeypatch)
    for name, value in (("FEW", 3), ("ROUNDS", 2)):
        monkeypatch.setattr(event_search, name, value)
    first = found(question_of(told, now=timezone.now()))
    assert first.looked_to is not None
    assert first.keys == whole[:6]
    assert leafed(told) == whole


def test_a_payload_somebody_broke_does_not_stop_the_index() -> None:
    from tests.ledger import forger

    relationship = conversation()
    forger.edit_payload(Event.objects.get(relationship=relationship, seq=2), "{no json")
    indexed()
    assert seqs(search(type="intent")) == [4, 2]


def test_thousands_of_events_of_one_moment_have_each_their_place(monkeypatch: pytest.MonkeyPatch) -> None:
    moment = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: moment)
    conversation(exchanges=4)
    indexed()
    conversation(exchanges=4)
    indexed()
    assert EventEntry.objects.count() == 18
    assert [trace.at for trace in search()] == [moment] * 18


def ids_of(traces: list[Trace]) -> set[UUID]:
    return {trace.relationship.pk for trace in traces if isinstance(trace.relationship, Relationship)}


def test_a_refused_erasure_leaves_its_words_to_be_found() -> None:
    relationship = conversation()
    indexed()
    with pytest.raises(ConversationError):
        erase_payloads(relationship_id=relationship.pk, seqs=[2], basis="", by="user:1", now=timezone.now())
    assert ids_of(search(q="lowe")) == {relationship.pk}
