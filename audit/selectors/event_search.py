"""Finding events: a page of them, newest first, in a bounded amount of work on either database.

Every filter has an index that ends in the entry's key, so that a page is read from its end backwards. Words are another
index: where both are asked, the smaller side leads.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from heapq import merge
from itertools import islice
from typing import Any

from django.db import connection
from django.db.models import QuerySet

from audit import event_words
from audit.models import EventEntry
from audit.search.question import Question
from audit.selectors.people import actors_named, parties_named

PAGE = 50
FEW = 2000  # so many can be held against the words one by one
ROUNDS = 3  # how often so many words are held against the filters before the page says how far it came


@dataclass(frozen=True, slots=True)
class Found:
    """A page; `next` continues it, and `looked_to` says how far back was looked where that is not the whole period."""

    keys: list[int]
    next: int | None = None
    looked_to: int | None = None


def found(question: Question) -> Found:
    """One page of what was asked."""
    branches = list(branches_of(question))
    if not question.terms:
        return page_of(newest(branches, PAGE + 1))
    if not is_narrowed(question):
        return page_of(
            event_words.matching(connection, question.terms, first=question.first, end=question.end, limit=PAGE + 1)
        )
    few = newest(branches, FEW + 1)
    if len(few) <= FEW:
        hits = event_words.matching_among(connection, question.terms, few) if few else []
        return page_of(sorted(hits, reverse=True)[: PAGE + 1])
    return worded(question)


def is_narrowed(question: Question) -> bool:
    return bool(question.party or question.actor or question.type)


def branches_of(question: Question) -> Iterator[QuerySet[EventEntry]]:
    """The filters as queries that each follow one index: a party may be on either side, a name be several people."""
    entries = EventEntry.objects.filter(key__gte=question.first, key__lt=question.end)
    if question.type:
        entries = entries.filter(type=question.type)
    actors: list[dict[str, Any]] = (
        [{"actor": actor} for actor in actors_named(question.actor)] if question.actor else [{}]
    )
    parties: list[dict[str, Any]] = (
        [{side: party} for party in parties_named(question.party) for side in ("initiator", "responder")]
        if question.party
        else [{}]
    )
    for party in parties:
        for actor in actors:
            yield entries.filter(**party, **actor).order_by("-key")


def newest(branches: list[QuerySet[EventEntry]], limit: int) -> list[int]:
    """The newest keys of all branches together, each once."""
    runs = [list(branch.values_list("key", flat=True)[:limit]) for branch in branches]
    return list(islice(dict.fromkeys(merge(*runs, reverse=True)), limit))


def worded(question: Question) -> Found:
    """Common words within a broad filter: the words lead, a batch at a time, and the filter chooses."""
    kept: list[int] = []
    end = question.end
    for _ in range(ROUNDS):
        batch = event_words.matching(connection, question.terms, first=question.first, end=end, limit=FEW)
        for branch in branches_of(question):
            kept += branch.filter(key__in=batch).values_list("key", flat=True)
        if len(batch) < FEW or len(set(kept)) > PAGE:
            return page_of(sorted(set(kept), reverse=True))
        end = batch[-1]
    page = sorted(set(kept), reverse=True)
    return Found(page, next=end, looked_to=end)


def page_of(keys: list[int]) -> Found:
    return Found(keys[:PAGE], next=keys[PAGE - 1] if len(keys) > PAGE else None)
