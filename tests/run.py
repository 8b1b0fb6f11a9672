"""`make test`: the suite on every stack that is there, one pytest run a stack.

`LASTWORD_REQUIRE_STACKS=1` (CI) makes a missing PostgreSQL, Redis or Chromium a failure.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass

import psycopg
import redis

LOCAL_STACK = {
    "DATABASE_URL": "postgres://127.0.0.1:5432/lastword_ci",
    "REDIS_URL": "redis://127.0.0.1:6379/15",
}
ORDINARY = "not stack and not browser"
NOTHING_COLLECTED = 5


@dataclass(frozen=True, slots=True)
class Run:
    """One pytest run."""

    name: str
    markers: str
    environment: Mapping[str, str]
    parallel: bool = False


def production() -> dict[str, str]:
    """The given production stack, or this machine's own."""
    if os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL"):
        return {name: os.environ[name] for name in LOCAL_STACK}
    return LOCAL_STACK


def missing(stack: Mapping[str, str]) -> str:
    """Which part of the stack does not answer; empty when all do."""
    url = stack["DATABASE_URL"].replace("postgres://", "postgresql://", 1)
    server, _, _database = url.partition("?")[0].rpartition("/")
    try:
        psycopg.connect(f"{server}/postgres", connect_timeout=3).close()
    except psycopg.OperationalError:
        return "PostgreSQL"
    try:
        redis.Redis.from_url(stack["REDIS_URL"], socket_connect_timeout=3).ping()
    except redis.RedisError:
        return "Redis"
    return ""


def chromium() -> str | None:
    return os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")


def runs() -> tuple[list[Run], list[str]]:
    """What can run here, and what cannot with its reason."""
    chosen, left_out = [Run("embedded", ORDINARY, {}, parallel=True)], []
    stack = production()
    if gap := missing(stack):
        left_out.append(f"production stack: {gap} does not answer")
    else:
        chosen.append(Run("production", ORDINARY, stack, parallel=True))
        chosen.append(Run("real processes", "stack and not browser", stack, parallel=True))
    if chromium():
        chosen.append(Run("browser", "browser", {"CHROMIUM": chromium() or ""}, parallel=True))
    else:
        left_out.append("browser tests: there is no chromium")
    return chosen, left_out


def execute(run: Run, arguments: list[str]) -> bool:
    """One pytest run in a clean choice of stack; True when nothing failed."""
    print(f"== {run.name}", flush=True)
    inherited = {name: value for name, value in os.environ.items() if name not in LOCAL_STACK}
    command = [sys.executable, "-m", "pytest", "-m", run.markers, "-rs"]
    if run.parallel:
        command += ["-n", "2", "--dist", "loadfile"]
    done = subprocess.run([*command, *arguments], env={**inherited, **run.environment}, check=False)
    return done.returncode in {0, NOTHING_COLLECTED}


def main(arguments: list[str]) -> int:
    chosen, left_out = runs()
    for reason in left_out:
        print(f"== left out, {reason}", flush=True)
    if left_out and os.environ.get("LASTWORD_REQUIRE_STACKS") == "1":
        print("LASTWORD_REQUIRE_STACKS=1: every stack must be there", file=sys.stderr)
        return 1
    failed = [run.name for run in chosen if not execute(run, arguments)]
    print(f"== failed: {', '.join(failed)}" if failed else "== all passed", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
