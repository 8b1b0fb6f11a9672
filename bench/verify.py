"""Chain verification: events a second through `audit.services.verification.verify`, on the database in the environment.

    python bench/verify.py [--events 100000]

Fills an empty database (refuses any other) with conversations of twenty events, signs a checkpoint, verifies thrice.
"""

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("LASTWORD_DATA", tempfile.mkdtemp(prefix="lastword-bench-"))

EXCHANGES = 19


def fill(events: int) -> None:
    """Events in bulk, through the same linking as the one door, without outbox and broadcast."""
    from django.db import transaction
    from django.utils import timezone

    from conversations.domain.events import INTENT
    from conversations.models import Event, EventPayload, Relationship
    from conversations.services.event_store import NewEvent, link
    from conversations.services.relationships import Terms, create_relationship

    payload = {"intent": "book_a_table", "context": {"guests": 4, "wishes": "by the window, " * 10}, "humotica": "hi"}
    for _ in range(events // (EXCHANGES + 1)):
        with transaction.atomic():
            terms = Terms(initiator="bench-a", responder="bench-b", max_depth=1000)
            relationship = create_relationship(terms=terms, actor="key:1")
            linked = []
            for _ in range(EXCHANGES):
                event, words = link(relationship, NewEvent(INTENT, "key:1", payload), now=timezone.now())
                linked.append((event, words))
                relationship.head_seq, relationship.head_hash = event.seq, event.hash
            Event.objects.bulk_create(event for event, _ in linked)
            for event, words in linked:
                words.event = event
            EventPayload.objects.bulk_create(words for _, words in linked)
            Relationship.objects.filter(pk=relationship.pk).update(
                head_seq=relationship.head_seq, head_hash=relationship.head_hash
            )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--events", type=int, default=100_000)
    options = parser.parse_args()

    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection
    from django.utils import timezone

    from audit.services.checkpoints import make_checkpoint
    from audit.services.verification import verify
    from conversations.models import Event

    call_command("migrate", verbosity=0)
    if Event.objects.exists():
        sys.exit("the database is not empty: give the benchmark one of its own")
    fill(options.events)
    start = time.perf_counter()
    make_checkpoint(now=timezone.now())
    print(f"{connection.vendor}: numbered and signed {options.events / (time.perf_counter() - start):,.0f} events/s")
    for _ in range(3):
        start, worked = time.perf_counter(), time.process_time()
        report = verify()
        seconds, worked = time.perf_counter() - start, time.process_time() - worked
        if not report.ok:
            sys.exit(f"not sound: {report.findings[:3]} {report.unchecked}")
        # the second figure is what this process alone needs, whatever else the machine is busy with
        print(
            f"{connection.vendor}: verified {report.events:,} events, {report.events / seconds:,.0f} events/s, "
            f"{report.events / worked:,.0f} a second of our own processor time"
        )


if __name__ == "__main__":
    main()
