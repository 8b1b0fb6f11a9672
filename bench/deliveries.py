"""Webhooks delivered one to five times in any order: `python -m bench.deliveries [--deliveries 10000]`.

Works in a database of its own on the stack the environment names, with several threads that receive and work at the
same time (often each other's deliveries), a relay beside them, and a Chatwoot of our own that takes the calls. Ends
with an error unless every message had exactly one turn and every call was made once.
"""

import argparse
import hashlib
import hmac
import json
import os
import random
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from tempfile import TemporaryDirectory
from typing import Any

SECRET = "benchmarks only"
SEED = 4_711
FLOW = {
    "name": "Contact",
    "primaryGoal": {"type": "GATE", "gate": "CONTACT"},
    "gateDefinitions": {"CONTACT": {"satisfiedBy": {"metricsAll": ["contact_email"]}}},
    "facts": {"contact_email": {"type": "email"}},
    "nodes": [
        {
            "id": "ask-email",
            "title": "Email",
            "produces": ["contact_email"],
            "satisfies": {"gates": ["CONTACT"]},
            "prompts": ["What is your email?", "I did not see an address in that. Your email?"],
        }
    ],
}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--deliveries", type=int, default=10_000)
    arguments.add_argument("--conversations", type=int, default=500)
    arguments.add_argument("--workers", type=int, default=4)
    chosen = arguments.parse_args()
    with TemporaryDirectory(prefix="lastword-bench-") as folder:
        os.environ["LASTWORD_DATA"] = folder
        run(chosen)


def run(chosen: argparse.Namespace) -> None:
    """Django reads the environment at its set-up, so everything of it is imported after."""
    os.environ.setdefault("LASTWORD_SECRET_KEY", "benchmarks only, and long enough to pass: 0123456789 abcdefghij")
    os.environ.setdefault("LASTWORD_ALLOW_PRIVATE_URLS", "1")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

    import django
    from django.test.utils import setup_databases, teardown_databases

    django.setup()
    databases = setup_databases(verbosity=0, interactive=False)
    try:
        with chatwoot() as (url, calls):
            print(json.dumps(measured(chosen, url, calls)))
    finally:
        teardown_databases(databases, verbosity=0)


@contextmanager
def chatwoot() -> Iterator[tuple[str, list[str]]]:
    """The other side: gives every message an id and keeps the paths it was called at."""
    calls: list[str] = []
    ids = count(1_000_000)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            calls.append(self.path)
            body = json.dumps({"id": next(ids)}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", calls
    finally:
        server.shutdown()
        server.server_close()


def measured(chosen: argparse.Namespace, url: str, calls: list[str]) -> dict[str, Any]:
    """Delivers, works and relays everything; what it took, and what the database says afterwards."""
    from django.db import connection

    from conversations.services import deliveries, relay

    channel = inbox(url)
    bodies = traffic(chosen.deliveries, chosen.conversations)
    started = time.perf_counter()
    with ThreadPoolExecutor(chosen.workers) as pool:
        shares = [bodies[start :: chosen.workers] for start in range(chosen.workers)]
        list(pool.map(lambda share: deliver_and_work(channel, share), shares))
    received = time.perf_counter()
    deliveries.work_due()
    worked = time.perf_counter()
    relay.relay()
    relayed = time.perf_counter()
    return {
        "database": connection.vendor,
        "deliveries": len(bodies),
        "messages": len(set(bodies)),
        "received_and_worked_seconds": round(received - started, 1),
        "left_over_worked_seconds": round(worked - received, 1),
        "relayed_seconds": round(relayed - worked, 1),
        "deliveries_per_second": round(len(bodies) / (worked - started)),
        **checked(bodies, calls),
    }


def inbox(url: str) -> Any:
    from conversations.services.channels import ChannelTerms, create_channel
    from flows.services.drafts import create_flow
    from flows.services.publishing import publish

    create_flow(slug="contact", name="Contact", definition=FLOW, author="bench")
    publish(slug="contact", note="", author="bench")
    terms = ChannelTerms(
        kind="chatwoot", name="Web", secret=SECRET, base_url=url, account_id=1, token="token", flow="contact"
    )
    return create_channel(terms=terms)


def traffic(number: int, conversations: int) -> list[bytes]:
    """Messages of many visitors, each one to five times, shuffled."""
    chance, copies, message = random.Random(SEED), [], 0
    while len(copies) < number:
        message += 1
        copies += [payload(message, 1 + message % conversations)] * chance.randint(1, 5)
    chance.shuffle(copies)
    return copies[:number]


def payload(message: int, conversation: int) -> bytes:
    contact = {"id": conversation, "name": "Ada"}
    told = {
        "event": "message_created",
        "id": message,
        "content": f"words {message}",
        "content_type": "text",
        "content_attributes": {},
        "message_type": "incoming",
        "private": False,
        "sender": contact,
        "conversation": {"id": conversation, "status": "pending", "meta": {"sender": contact, "assignee": None}},
    }
    return json.dumps(told).encode()


def deliver_and_work(channel: Any, bodies: list[bytes]) -> None:
    """One thread's share: each delivery is received, then worked; a repetition's worker finds nothing to do."""
    from django.db import connections

    from conversations.services import deliveries

    try:
        for body in bodies:
            received = deliveries.receive(kind="chatwoot", inbox=str(channel.pk), headers=signed(body), body=body)
            deliveries.work(received.delivery.duplicate_of_id or received.delivery.pk)
    finally:
        connections.close_all()


def signed(body: bytes) -> dict[str, str]:
    moment = str(int(time.time()))
    digest = hmac.new(SECRET.encode(), f"{moment}.".encode() + body, hashlib.sha256).hexdigest()
    return {"X-Chatwoot-Timestamp": moment, "X-Chatwoot-Signature": f"sha256={digest}"}


def checked(bodies: list[bytes], calls: list[str]) -> dict[str, Any]:
    """One turn a message, one worked delivery a message, one call a message sent; anything else ends the run."""
    from conversations.models import Delivery, Event, OutboxMessage
    from conversations.selectors.events import as_recorded

    turns = Counter(
        as_recorded(event).content["message_id"]
        for event in Event.objects.filter(type="turn_taken").select_related("payload").iterator()
    )
    expected = Counter(str(json.loads(body)["id"]) for body in set(bodies))
    by_status = Counter(Delivery.objects.values_list("status", flat=True))
    sent = OutboxMessage.objects.filter(destination__startswith="channel:")
    report = {
        "turns": sum(turns.values()),
        "deliveries_by_status": dict(by_status),
        "calls": len(calls),
        "rows_sent": sent.exclude(delivered_at=None).count(),
        "rows_waiting": sent.filter(delivered_at=None, abandoned_at=None).count(),
    }
    whole = {"worked": len(expected), "duplicate": len(bodies) - len(expected)}
    if turns != expected or dict(by_status) != whole or report["calls"] != report["rows_sent"]:
        sys.exit(f"not one effect each: {report}")
    return report


if __name__ == "__main__":
    main()
