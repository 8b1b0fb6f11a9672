"""Appends events to one conversation, as lines on standard input say; a process of its own, as a worker is."""

import json
import os
import sys
import time
from typing import Any

import django


def main() -> None:
    """Django is set up first, so everything of it is imported after."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from conversations.services.relationships import Terms, create_relationship

    terms = Terms(initiator="bank", responder="customer", max_depth=10_000)
    relationship_id = create_relationship(terms=terms, actor="system").pk
    print(relationship_id, flush=True)
    for line in sys.stdin:
        wish = json.loads(line)
        if wish["pause"]:
            for _ in range(wish["messages"]):
                say(relationship_id, 1)
                time.sleep(wish["pause"])
        else:
            say(relationship_id, wish["messages"])


def say(relationship_id: Any, times: int) -> None:
    """That many events in one transaction."""
    from django.db import transaction
    from django.utils import timezone

    from conversations.selectors.relationships import locked
    from conversations.services.event_store import NewEvent, append

    with transaction.atomic():
        relationship = locked(relationship_id)
        for _ in range(times):
            payload = {"at": time.time_ns() // 1000, "filler": "x" * 100}
            append(relationship, NewEvent("bench_noted", "system", payload), now=timezone.now())


if __name__ == "__main__":
    main()
