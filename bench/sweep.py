"""How long the expiry sweep takes: `python -m bench.sweep [--due 100000]`, on the database the environment names.

Works in a database of its own (a temporary folder, or one beside DATABASE_URL that is dropped afterwards), with due
conversations of four events each, and checks that none was missed and none closed twice.
"""

import argparse
import json
import os
import sys
import time
from datetime import timedelta
from tempfile import TemporaryDirectory
from typing import Any

MAKE_BATCH = 2000


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--due", type=int, default=100_000)
    due = arguments.parse_args().due
    with TemporaryDirectory(prefix="lastword-bench-") as folder:
        os.environ["LASTWORD_DATA"] = folder
        run(due)


def run(due: int) -> None:
    """Django reads the environment at its set-up, so everything of it is imported after."""
    os.environ.setdefault("LASTWORD_SECRET_KEY", "benchmarks only, and long enough to pass: 0123456789 abcdefghij")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

    import django
    from django.test.utils import setup_databases, teardown_databases

    django.setup()
    databases = setup_databases(verbosity=0, interactive=False)
    try:
        print(json.dumps(measured(due)))
    finally:
        teardown_databases(databases, verbosity=0)


def measured(due: int) -> dict[str, Any]:
    """One sweep over that many due conversations, and what the database says afterwards."""
    from django.db import connection

    from conversations.models import Event, Relationship
    from conversations.services.sweeping import sweep_expired

    started = time.perf_counter()
    make_due(due)
    made = time.perf_counter()
    processor = time.process_time()
    expired = sweep_expired()
    took, processor = time.perf_counter() - made, time.process_time() - processor
    closures = Event.objects.filter(type="conversation_closure")
    report = {
        "database": connection.vendor,
        "due": due,
        "expired": expired,
        "seconds": round(took, 2),
        "processor_seconds": round(processor, 2),
        "per_second": round(due / took),
        "missed": Relationship.objects.filter(conversation_state="active").count(),
        "double": closures.count() - closures.values("relationship").distinct().count(),
        "made_in_seconds": round(made - started, 1),
    }
    if expired != due or report["missed"] or report["double"]:
        sys.exit(f"the sweep was wrong: {report}")
    return report


def make_due(count: int) -> None:
    """Due conversations by the same door as any other: opened, two exchanges, and a timebox long over."""
    from django.db import transaction
    from django.utils import timezone

    from conversations.domain.events import CREATED
    from conversations.models import Relationship
    from conversations.services import event_store
    from conversations.services.event_store import NewEvent
    from conversations.services.relationships import Terms, born, created_payload, filled_in, participant

    start = timezone.now() - timedelta(days=3)
    initiator, responder = participant("bank"), participant("customer")
    terms = filled_in(Terms(initiator="bank", responder="customer", humotica="Bank calls about a mortgage"))
    payload = created_payload(terms, initiator=initiator, responder=responder, continues=None, flow=None)
    said = [
        NewEvent(CREATED, "system", payload),
        NewEvent("intent", initiator.actor, {"sender": "bank", "intent": "advice", "context": {"ref": "MORT-1"}}),
        NewEvent("response_accepted", responder.actor, {"sender": "customer", "response": "accepted", "context": {}}),
        NewEvent("intent", initiator.actor, {"sender": "bank", "intent": "documents", "humotica": "Documents asked"}),
    ]
    for begin in range(0, count, MAKE_BATCH):
        with transaction.atomic():
            rows = Relationship.objects.bulk_create(
                born(payload, at=start + timedelta(milliseconds=begin)) for _ in range(min(MAKE_BATCH, count - begin))
            )
            for minute, new in enumerate(said):
                now = start + timedelta(minutes=minute, milliseconds=begin)
                event_store.append_each([(row, new) for row in rows], now=now)


if __name__ == "__main__":
    main()
