"""How long the heavy pages take: `python -m bench.pages`, on a database that `python -m bench.bulk` has filled.

The metrics screens with every range and filter, the conversations behind a bar, the Live board in its orders and with a
search, Home, Prometheus' scrape and `GET /metrics/flows`: each asked many times through the page itself. Prints the p95
of each, by the clock and by processor time; audit search has `bench.audit`. What is not rolled up yet is counted first.
"""

import argparse
import json
import random
import statistics
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

from bench.bulk import SYLLABLES, set_up

WARM = 2
CONSOLE = "/admin/console"
Question = Callable[[], tuple[str, dict[str, Any]]]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--asked", type=int, default=30, help="how often each page")
    options = arguments.parse_args()
    set_up()
    from django.core.management import call_command

    call_command("migrate", verbosity=0)
    print(json.dumps(measured(options.asked), indent=1))


def measured(asked: int) -> dict[str, Any]:
    from django.db import connection

    from conversations.models import Event, Relationship

    report: dict[str, Any] = {"database": connection.vendor, **rolled_up()}
    report |= {"events": Event.objects.count(), "conversations": Relationship.objects.count()}
    report["p95_ms"], report["p95_own_cpu_ms"] = {}, {}
    for name, ask in questions().items():
        by_clock, by_processor = asked_often(ask, asked)
        report["p95_ms"][name], report["p95_own_cpu_ms"][name] = p95(by_clock), p95(by_processor)
    return report


def rolled_up() -> dict[str, Any]:
    """Whatever waits is counted before anything is asked."""
    from django.db import connection
    from django.utils import timezone

    from audit.services.rollups import roll_up
    from audit.services.sequencer import sequence

    sequence(wait=True)
    began = time.perf_counter()
    counted = roll_up(now=timezone.now())
    took = time.perf_counter() - began
    if counted:
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
    return {"rolled_up_per_second": round(counted / took)} if counted else {}


def asked_often(ask: Question, times: int) -> tuple[list[float], list[float]]:
    """Milliseconds a time, by the clock and by this process's own processor time (on SQLite that is all there is);
    the first few warm the caches."""
    from django.test import override_settings

    browser, key = reader()
    clock, processor = [], []
    with override_settings(ALLOWED_HOSTS=["*"], SECURE_SSL_REDIRECT=False, LASTWORD_TWO_FACTOR=False):
        for number in range(times + WARM):
            path, query = ask()
            began, worked = time.perf_counter(), time.process_time()
            answer = browser.get(path, query, headers={"Authorization": f"Bearer {key}"})
            if answer.status_code != 200:
                raise SystemExit(f"{path} {query}: {answer.status_code}")
            if number >= WARM:
                clock.append(1000 * (time.perf_counter() - began))
                processor.append(1000 * (time.process_time() - worked))
    return clock, processor


def reader() -> tuple[Any, str]:
    """A viewer's browser and an auditor's key."""
    from django.contrib.auth import get_user_model
    from django.contrib.auth.models import Group
    from django.test import Client

    from conversations.services.api_keys import create_api_key

    user, _ = get_user_model().objects.get_or_create(username="bench-viewer", defaults={"is_staff": True})
    user.groups.add(Group.objects.get_or_create(name="viewer")[0])
    browser = Client()
    browser.force_login(user)
    return browser, create_api_key(name="bench", role="auditor")[1]


def p95(spent: list[float]) -> float:
    return round(statistics.quantiles(spent, n=20)[18], 1)


def questions() -> dict[str, Question]:
    from django.utils import timezone

    from audit.selectors.figures import choices
    from audit.views.metrics import TABS

    chance, today = random.Random(7), timezone.now().date()
    flows = choices()["flow"]

    def days(length: int) -> dict[str, str]:
        last = today - timedelta(days=chance.randrange(0, 20))
        return {"from": (last - timedelta(days=length - 1)).isoformat(), "to": last.isoformat()}

    def tab(name: str) -> Question:
        return lambda: (f"{CONSOLE}/metrics", {"tab": name, **days(chance.choice([7, 30, 90]))})

    def behind(measure: str, **key: str) -> Question:
        return lambda: (f"{CONSOLE}/metrics/conversations", {"measure": measure, **key, **days(90)})

    def board(**query: str) -> Question:
        return lambda: (f"{CONSOLE}/live", query)

    word = "".join(chance.choices(SYLLABLES, k=2))
    return {
        **{f"metrics {name}": tab(name) for name in TABS},
        "metrics of a flow": lambda: (
            f"{CONSOLE}/metrics",
            {"tab": "flows", "flow": chance.choice(flows), **days(90)},
        ),
        "metrics, two years": lambda: (f"{CONSOLE}/metrics", days(731)),
        "behind a wide bar": behind("started"),
        "behind a narrow bar": behind("closed", subject="expired"),
        "live board": board(),
        "live board, newest": board(sort="newest"),
        "live board, at risk": board(risk="at_risk"),
        "live board, search": board(q=word),
        "home": lambda: (CONSOLE + "/", {}),
        "loop accuracy": lambda: (f"{CONSOLE}/accuracy", {}),
        "figures in the flow editor": lambda: (f"{CONSOLE}/flow-figures/{chance.choice(flows)}", {}),
        "GET /api/v1/metrics/loops": lambda: ("/api/v1/metrics/loops", {}),
        "GET /metrics": lambda: ("/metrics", {}),
        "GET /api/v1/metrics/flows": lambda: (f"/api/v1/metrics/flows/{chance.choice(flows)}", {}),
        "GET /api/v1/metrics/flows since": lambda: (
            f"/api/v1/metrics/flows/{chance.choice(flows)}",
            {"since": f"{days(30)['from']}T13:14:15Z"},
        ),
    }


if __name__ == "__main__":
    main()
