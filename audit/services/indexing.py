"""Keeps the search up with the log: every numbered leaf gets its entry and its words, once, in batches.

Not in the transaction that records an event: nobody who speaks waits for somebody who may search one day.
"""

from collections.abc import Collection

from django.db import connection
from django.db.models import Max

from audit import event_words
from audit.models import EventEntry, Leaf
from audit.search.moments import PLACES, KeyGiver, first_key
from audit.search.words import indexed_words
from conversations.models import EventPayload
from conversations.services.locks import only_writer

BATCH = 2000


# What an entry copies, by the entry's own names.
COPIED = {
    "position": "index",
    "event_id": "event_id",
    "relationship_id": "event__relationship_id",
    "type": "event__type",
    "actor": "event__actor",
    "initiator": "event__relationship__initiator_id",
    "responder": "event__relationship__responder_id",
}


def index_events(*, limit: int | None = None, wait: bool = False) -> int:
    """Indexes what was numbered since the last run, about `limit` at most; says how many.

    Without `wait`, it leaves the work to another run that is already at it.
    """
    indexed = 0
    while limit is None or indexed < limit:
        batch = index_batch(wait=wait)
        indexed += batch
        if batch < BATCH:
            break
    return indexed


def index_batch(*, wait: bool) -> int:
    """One batch in one transaction: entries and words appear together or not at all."""
    with only_writer(wait=wait) as taken:
        if not taken:
            return 0
        last = EventEntry.objects.aggregate(last=Max("position"))["last"]
        # never "> -1": Django leaves out what every unsigned number passes, and leaves without a number pass, too
        numbered = Leaf.objects.filter(index__gte=0 if last is None else last + 1).order_by("index")
        rows = list(numbered.values_list("event__at", *COPIED.values())[:BATCH])
        giver = KeyGiver(last_keys({first_key(row[0]) for row in rows}))
        entries = [EventEntry(key=giver.key_for(at), **dict(zip(COPIED, row, strict=True))) for at, *row in rows]
        EventEntry.objects.bulk_create(entries)
        words = words_of_events([entry.event_id for entry in entries])
        event_words.insert(connection, [(one.key, words[one.event_id]) for one in entries if one.event_id in words])
        return len(entries)


def last_keys(firsts: Collection[int]) -> dict[int, int]:
    """The last key in use of each of these moments that has one already."""
    known = EventEntry.objects.filter(key__in=firsts).values_list("key", flat=True)
    return {
        first: EventEntry.objects.filter(key__gte=first, key__lt=first + PLACES).aggregate(last=Max("key"))["last"]
        for first in known
    }


def words_of_events(event_ids: Collection[int]) -> dict[int, list[str]]:
    """The words of the payloads that are still there, locked: an erasure waits for the words it must take along."""
    payloads = EventPayload.objects.select_for_update().filter(event__in=event_ids).order_by("event")
    return {event_id: readable_words(text) for event_id, text in payloads.values_list("event_id", "text")}


def readable_words(text: str) -> list[str]:
    """A payload that somebody broke has no words; the verification is what tells of it."""
    try:
        return indexed_words(text)
    except ValueError:
        return []
