"""Intents per second through the whole API, beside what the same statements cost without it, in one run.

make bench [ARGS="--seconds 5 --connections 32"]      (PostgreSQL too, where DATABASE_URL and REDIS_URL are set)
"""

import argparse
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx
import psycopg

from bench import load
from bench.sayings import INTENTS
from tests.live_server import ROOT, LiveServer, serve

RELATIONSHIPS = 200
SECRET = "benchmarks only, and long enough to pass: 0123456789 abcdefghij"
Request = Callable[[int], tuple[str, bytes]]
TARGET_OF_BARE, TARGET_OF_STOCK = 0.6, 2.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=5)
    parser.add_argument("--connections", type=int, default=32)
    options = parser.parse_args()
    production = os.environ.get("DATABASE_URL")
    stacks = {"SQLite, embedded": {"DATABASE_URL": "", "REDIS_URL": ""}}
    if production:
        stacks["PostgreSQL"] = {}
    for name, variables in stacks.items():
        with serve(LASTWORD_RATE_LIMIT="1000000", LASTWORD_SECRET_KEY=SECRET, **variables) as server:
            print(f"\n{name}, {options.connections} connections, {options.seconds:g} s each", flush=True)
            compare(server, options)


def compare(server: LiveServer, options: argparse.Namespace) -> None:
    """Our API, the bare view both ways, and the database alone, one after the other."""
    key = server.key("router")
    reads, writes = statements(server, key)
    print(f"  one intent: {reads} reads, {writes} writes in one transaction")
    ids = conversations(server, key)
    ours = measured("intents, whole API", server.url, server.pid, intents(ids), key=key, options=options)
    server.environment |= {"BENCH_READS": str(reads), "BENCH_WRITES": str(writes)}
    bare = {}
    for kind in ("onehop", "stock"):
        with bare_server(kind, server, ids[0]) as (url, pid):
            bare[kind] = measured(f"bare DRF view, {kind}", url, pid, rows(ids), key="", options=options)
    database_alone(server, reads=reads, writes=writes, options=options)
    judge("of the bare one-hop view", ours.per_second / bare["onehop"].per_second, TARGET_OF_BARE)
    judge("of stock ASGI", ours.per_second / bare["stock"].per_second, TARGET_OF_STOCK)
    judge("of the bare one-hop view by processor time", bare["onehop"].processor / ours.processor, TARGET_OF_BARE)
    judge("of stock ASGI by processor time", bare["stock"].processor / ours.processor, TARGET_OF_STOCK)


@dataclass(frozen=True, slots=True)
class Measured:
    """Requests a second, and seconds of the server's own processor time a request, whatever else the machine does."""

    per_second: float
    processor: float


def measured(name: str, url: str, pid: int, request: Request, *, key: str, options: argparse.Namespace) -> Measured:
    before = processor_seconds(pid)
    result = load.run(url, request, key=key, connections=options.connections, seconds=options.seconds)
    processor = (processor_seconds(pid) - before) / sum(result.statuses.values())
    print(f"  {name:24s} {result}   {1e6 * processor:6.0f} µs of processor a request", flush=True)
    return Measured(result.per_second, processor)


def processor_seconds(pid: int) -> float:
    """User and system time of a process with all its threads, from its line in /proc."""
    numbers = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(numbers[11]) + int(numbers[12])) / os.sysconf("SC_CLK_TCK")


def judge(of: str, ratio: float, target: float) -> None:
    verdict = "met" if ratio >= target else "MISSED"
    print(f"  {ratio:6.2f} × {of} (target {target:g}): {verdict}")


def statements(server: LiveServer, key: str) -> tuple[int, int]:
    command = [sys.executable, "-m", "bench.statements", key]
    done = subprocess.run(command, cwd=ROOT, env=server.environment, capture_output=True, text=True, check=True)
    reads, writes = done.stdout.split()[-2:]
    return int(reads), int(writes)


def conversations(server: LiveServer, key: str) -> list[str]:
    """Many conversations, none of which reaches its depth."""
    terms = {"initiator": "bank", "responder": "customer", "max_depth": 10_000}
    with httpx.Client(headers={"Authorization": f"Bearer {key}"}, timeout=30) as http:
        url = f"{server.url}/api/v1/relationships"
        return [http.post(url, json=terms).json()["id"] for _ in range(RELATIONSHIPS)]


def intents(ids: list[str]) -> Request:
    """Each conversation goes from one matter to the next."""

    def request(number: int) -> tuple[str, bytes]:
        turn, conversation = divmod(number, len(ids))
        return f"/api/v1/relationships/{ids[conversation]}/intents", INTENTS[turn % len(INTENTS)]

    return request


def rows(ids: list[str]) -> Request:
    return lambda number: ("/bare", json.dumps({"row": ids[number % len(ids)]}).encode())


@contextmanager
def bare_server(kind: str, server: LiveServer, row: str) -> Iterator[tuple[str, int]]:
    """The bare view under uvicorn, on the same database, with the options our own server uses."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        command = [sys.executable, "-m", "uvicorn", f"bench.bare.{kind}:application", "--fd", str(listener.fileno())]
        command += ["--loop", "uvloop", "--http", "httptools", "--no-access-log", "--log-level", "error"]
        process = subprocess.Popen(command, cwd=ROOT, env=server.environment, pass_fds=[listener.fileno()])
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        try:
            wait_for(url, row)
            yield url, process.pid
        finally:
            process.terminate()
            process.wait(20)


def wait_for(url: str, row: str) -> None:
    for _ in range(120):
        try:
            if httpx.post(f"{url}/bare", json={"row": row}, timeout=5).status_code == 201:
                return
        except httpx.HTTPError:
            time.sleep(0.5)
    raise RuntimeError("the bare server did not start")


def database_alone(server: LiveServer, *, reads: int, writes: int, options: argparse.Namespace) -> None:
    """The same statements from pgbench: what the database gives when nothing stands before it."""
    url = server.environment.get("DATABASE_URL")
    if not url:
        return
    if shutil.which("pgbench") is None:
        print("  pgbench is not installed: the database alone was not measured")
        return
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TABLE bench_row AS SELECT n AS id, 'x' AS text FROM generate_series(1, 200) n")
        connection.execute("CREATE UNIQUE INDEX ON bench_row (id)")
        connection.execute("CREATE TABLE bench_line (id bigserial PRIMARY KEY, row_id integer, text text)")
    script = [f"\\set row random(1, {RELATIONSHIPS})"]
    script += ["SELECT id, text FROM bench_row WHERE id = :row;"] * (reads - 1)
    script += ["BEGIN;", "SELECT id, text FROM bench_row WHERE id = :row FOR UPDATE;"]
    script += ["INSERT INTO bench_line (row_id, text) VALUES (:row, 'asks again');"] * (writes - 1)
    script += ["UPDATE bench_row SET text = 'asks again' WHERE id = :row;", "COMMIT;"]
    with tempfile.NamedTemporaryFile("w", suffix=".sql") as file:
        file.write("\n".join(script))
        file.flush()
        command = ["pgbench", "-n", "-c", str(options.connections), "-j", "2", "-T", str(int(options.seconds))]
        done = subprocess.run([*command, "-f", file.name, url], capture_output=True, text=True, check=True)
    figure = next(line for line in done.stdout.splitlines() if line.startswith("tps"))
    print(f"  {'pgbench, same statements':24s} {float(figure.split()[2]):8.0f}/s")


if __name__ == "__main__":
    main()
