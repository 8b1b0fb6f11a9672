"""Fan-out to watching sockets, beside a bare ASGI loop in the same run.

    DATABASE_URL=… REDIS_URL=… python -m bench.fanout [--sockets 500 2000] [--messages 200]

Ours: a real server process (uvicorn, the hub, Redis, PostgreSQL). Another process appends events to one conversation in
one transaction, so that all hints leave at once, and every socket must get every event. Bare: the same uvicorn with an
application that only loops over its sockets. Latency is measured with messages at a pace, from before the commit to
the arrival at each client. Readers are one process of plain asyncio connections for both.
"""

import argparse
import asyncio
import json
import secrets
import statistics
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.fanout_clients import Crowd
from tests.live_server import LiveServer, serve

ROOT = Path(__file__).resolve().parents[1]
TICKETS = """
from conversations.models import ApiKey
from conversations.services.ws_tickets import issue_ticket
key = ApiKey.objects.get(name="test-router")
print("\\n".join(issue_ticket(key) for _ in range({count})))
"""
PACED = 100
PACE_SECONDS = 0.05


@dataclass(frozen=True, slots=True)
class Figures:
    """What one run gave."""

    deliveries_per_second: float
    p50_ms: float
    p99_ms: float
    complete: float


def ours(server: LiveServer, count: int, messages: int) -> Figures:
    publisher = subprocess.Popen(
        [sys.executable, "-m", "bench.fanout_publisher"],
        cwd=ROOT,
        env=server.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert publisher.stdin and publisher.stdout
    try:
        relationship = publisher.stdout.readline().strip()
        tickets = server.manage("shell", "-v", "0", "-c", TICKETS.format(count=count)).split()[-count:]
        paths = [f"/ws/relationships/{relationship}?after_seq=1&ticket={ticket}" for ticket in tickets]
        return asyncio.run(measured(server.url, paths, publisher, messages))
    finally:
        publisher.stdin.close()
        publisher.wait(30)


def bare(count: int, messages: int) -> Figures:
    publisher = subprocess.Popen(
        [sys.executable, "-m", "bench.fanout_bare"],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert publisher.stdin and publisher.stdout
    try:
        url = publisher.stdout.readline().strip()
        return asyncio.run(measured(url, ["/"] * count, publisher, messages))
    finally:
        publisher.stdin.close()
        publisher.wait(30)


async def measured(url: str, paths: list[str], publisher: "subprocess.Popen[str]", messages: int) -> Figures:
    """A paced run for the latency, then a burst for the throughput."""
    assert publisher.stdin
    async with Crowd(url, paths) as crowd:
        await asyncio.sleep(1)
        publisher.stdin.write(json.dumps({"messages": PACED, "pause": PACE_SECONDS}) + "\n")
        publisher.stdin.flush()
        await crowd.got(PACED, timeout=60)
        latencies = sorted(crowd.latencies())
        publisher.stdin.write(json.dumps({"messages": messages, "pause": 0}) + "\n")
        publisher.stdin.flush()
        await crowd.got(PACED + messages, timeout=120)
        seconds = crowd.last_arrival - crowd.first_arrival_after(PACED)
        return Figures(
            deliveries_per_second=len(paths) * messages / seconds,
            p50_ms=statistics.median(latencies) * 1000,
            p99_ms=latencies[int(len(latencies) * 0.99)] * 1000,
            complete=crowd.complete(PACED + messages),
        )


@contextmanager
def server() -> Iterator[LiveServer]:
    # production asks for a secret; this one lives as long as the run
    with serve(LASTWORD_SECRET_KEY=secrets.token_urlsafe(64)) as running:
        running.key("router")
        yield running


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sockets", type=int, nargs="+", default=[500, 2000])
    parser.add_argument("--messages", type=int, default=200)
    arguments = parser.parse_args()
    print(f"{'sockets':>7} {'':6} {'deliveries/s':>12} {'p50 ms':>7} {'p99 ms':>7} {'complete':>8}")
    with server() as running:
        for count in arguments.sockets:
            limit, own = bare(count, arguments.messages), ours(running, count, arguments.messages)
            for name, each in (("bare", limit), ("ours", own)):
                print(
                    f"{count:7} {name:6} {each.deliveries_per_second:12,.0f} {each.p50_ms:7.1f} {each.p99_ms:7.1f} "
                    f"{each.complete:8.1%}"
                )
            share = own.deliveries_per_second / limit.deliveries_per_second
            print(f"{count:7} ratio  {share:12.0%}", flush=True)


if __name__ == "__main__":
    main()
