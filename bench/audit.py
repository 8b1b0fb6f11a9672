"""How long an audit search takes: `python -m bench.audit`, on a database that `python -m bench.bulk` has filled.

Every kind of question, each asked many times with other words and people, through the page itself (question, search,
names, payloads, template). Prints the p95 of each kind and of all together, and how fast the ledger is verified.
"""

import argparse
import json
import random
import statistics
import time
from typing import Any

from bench.bulk import SYLLABLES, set_up

ASKED = 40
WARM = 3


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--verify", action="store_true", help="also verify the whole ledger")
    options = arguments.parse_args()
    set_up()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    print(json.dumps(measured(verify_too=options.verify), indent=1))


def measured(*, verify_too: bool) -> dict[str, Any]:
    from django.db import connection

    from audit.models import EventEntry
    from audit.services.indexing import index_events
    from audit.services.verification import verify
    from conversations.models import Event

    started = time.perf_counter()
    indexed = index_events()
    took = time.perf_counter() - started
    if indexed:
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
    report: dict[str, Any] = {
        "database": connection.vendor,
        "events": Event.objects.count(),
        "indexed": EventEntry.objects.count(),
        "indexed_per_second": round(indexed / took) if indexed else None,
        "p95_ms": searched(),
    }
    if verify_too:
        started = time.perf_counter()
        result = verify()
        report["verified_per_second"] = round(result.events / (time.perf_counter() - started))
        report["sound"] = result.ok
    return report


def searched() -> dict[str, float]:
    """The p95 of each kind of question, in milliseconds."""
    from django.contrib.auth import get_user_model
    from django.contrib.auth.models import Group
    from django.test import Client, override_settings

    user, _ = get_user_model().objects.get_or_create(username="bench-auditor", defaults={"is_staff": True})
    user.groups.add(Group.objects.get_or_create(name="auditor")[0])
    browser = Client()
    browser.force_login(user)
    chance = random.Random(7)
    times: dict[str, list[float]] = {}
    with override_settings(ALLOWED_HOSTS=["*"], SECURE_SSL_REDIRECT=False):
        for kind, ask in questions(chance).items():
            for number in range(ASKED + WARM):
                told = ask()
                begin = time.perf_counter()
                answer = browser.get("/admin/console/audit", told)
                if answer.status_code != 200:
                    raise SystemExit(f"{kind}: {answer.status_code}")
                if number >= WARM:
                    times.setdefault(kind, []).append(1000 * (time.perf_counter() - begin))
    figures = {kind: p95(spent) for kind, spent in times.items()}
    return {**figures, "all": p95([one for spent in times.values() for one in spent])}


def p95(spent: list[float]) -> float:
    return round(statistics.quantiles(spent, n=20)[18], 1)


def questions(chance: random.Random) -> dict[str, Any]:
    from datetime import timedelta

    from django.utils import timezone

    from conversations.models import EventPayload, Participant

    customers = list(Participant.objects.filter(handle__startswith="customer-").values_list("handle", flat=True)[:500])
    rare = [
        word
        for text in EventPayload.objects.filter(text__contains="REF").values_list("text", flat=True)[:200]
        for word in text.replace('"', " ").replace(")", " ").split()
        if word.startswith("REF")
    ]

    def period() -> dict[str, str]:
        begin = timezone.now() - timedelta(days=chance.randrange(10, 80))
        return {"since": begin.date().isoformat(), "until": (begin + timedelta(days=7)).date().isoformat()}

    long_ago = {"since": (timezone.now() - timedelta(days=360)).date().isoformat()}
    return {
        "newest": lambda: {},
        "a week": period,
        "party": lambda: {"party": chance.choice(customers), **long_ago},
        "busy party": lambda: {"party": "ing_bank", **long_ago},
        "actor": lambda: {"actor": chance.choice(["bulk-anna", "bulk-ben", "system"]), **long_ago},
        "type": lambda: {"type": chance.choice(["intent", "handoff_claimed", "conversation_closure"]), **period()},
        "rare word": lambda: {"q": chance.choice(rare), **long_ago},
        "common word": lambda: {"q": chance.choice(["mortgage", "flights", "dress"]), **long_ago},
        "two words": lambda: {"q": f"mortgage {''.join(chance.choices(SYLLABLES, k=3))}", **long_ago},
        "beginning": lambda: {"q": f"{''.join(chance.choices(SYLLABLES, k=2))}*", **period()},
        "word and party": lambda: {"q": "mortgage", "party": chance.choice(customers), **long_ago},
        "word and busy actor": lambda: {"q": "mortgage", "actor": "system", **long_ago},
        "word, type and party": lambda: {"q": "offer", "type": "intent", "party": "ing_bank", **long_ago},
    }


if __name__ == "__main__":
    main()
