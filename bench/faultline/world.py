"""Lastword as processes that can be killed one by one, on services of its own; whoever is killed is started again."""

import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from bench.faultline.services import Postgres, Redis
from config.stack import commands

ROOT = Path(__file__).resolve().parents[2]
SECRET = "benchmarks only, and long enough to pass: 0123456789 abcdefghij"
WAIT_SECONDS = 90
MAKE_KEY = (
    "from uuid import uuid4; from conversations.services.api_keys import create_api_key; "
    "print(create_api_key(name=f'{role} {uuid4()}', role=role)[1])"
)


class World:
    """The parts that run, their environment, and what a client needs."""

    def __init__(self, folder: Path, *, postgres: Postgres | None, redis: Redis | None) -> None:
        self.folder, self.postgres, self.redis = folder, postgres, redis
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=2048)
        self.listener.set_inheritable(True)
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.parts: dict[str, subprocess.Popen[bytes]] = {}
        self.log = (folder / "parts.log").open("ab")
        self.environment = os.environ | {
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "LASTWORD_DATA": str(folder / "data"),
            "LASTWORD_SECRET_KEY": SECRET,
            "LASTWORD_HTTPS": "0",
            "LASTWORD_RATE_LIMIT": "1000000",
            "LASTWORD_ALLOW_PRIVATE_URLS": "1",
            "DEMO": "0",
            "DATABASE_URL": postgres.url if postgres else "",
            "REDIS_URL": redis.url if redis else "",
        }
        fd = self.listener.fileno()
        embedded = {"server 1": [sys.executable, "-m", "config.serve", "--fd", str(fd)]}
        self.commands = commands(2, fd) if postgres else embedded

    def manage(self, *arguments: str, ok: tuple[int, ...] = (0,)) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "manage.py", *arguments]
        done = subprocess.run(
            command, cwd=ROOT, env=self.environment, capture_output=True, text=True, timeout=600, check=False
        )
        if done.returncode not in ok:
            raise RuntimeError(f"{' '.join(arguments)}: {done.stdout}{done.stderr}")
        return done

    def keys(self, *roles: str) -> list[str]:
        """A key for each role; one process makes them all, since each start costs seconds."""
        told = self.manage("shell", "-v", "0", "-c", f"for role in {roles!r}: {MAKE_KEY}")
        return told.stdout.split()

    def start(self, name: str, *, prefix: tuple[str, ...] = (), like: str = "") -> None:
        self.parts[name] = subprocess.Popen(
            [*prefix, *self.commands[like or name]],
            cwd=ROOT,
            env=self.environment,
            pass_fds=[self.listener.fileno()],
            start_new_session=True,
            stdout=self.log,
            stderr=self.log,
        )

    def kill(self, name: str) -> None:
        """SIGKILL for the part with all its children."""
        process = self.parts[name]
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()

    def kill_child(self, name: str, chance: random.Random) -> None:
        """SIGKILL for one child of the part alone."""
        os.kill(chance.choice(self.children(name)), signal.SIGKILL)

    def start_ended(self) -> list[str]:
        """Starts what has ended by itself, as whoever supervises the parts in production does; says what that was."""
        ended = [name for name, process in self.parts.items() if process.poll() is not None]
        for name in ended:
            self.start(name, like=name.removesuffix(" 2"))
        return ended

    def complaints(self) -> str:
        """The first errors the parts logged: what a failed check is most likely about."""
        lines = (self.folder / "parts.log").read_text(errors="replace").splitlines()
        return "\n".join([line[:1200] for line in lines if '"level": "error"' in line][:3])

    def children(self, name: str) -> list[int]:
        pid = self.parts[name].pid
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    def wait_until_ready(self) -> None:
        deadline = time.monotonic() + WAIT_SECONDS
        while time.monotonic() < deadline:
            try:
                if httpx.get(f"{self.url}/readyz", timeout=3).is_success:
                    return
            except httpx.HTTPError:
                pass
            time.sleep(0.2)
        raise RuntimeError(f"not ready again: {self.folder / 'parts.log'}")

    def stop(self) -> None:
        for process in self.parts.values():
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGTERM)
        for process in self.parts.values():
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
        self.listener.close()
        self.log.close()


@contextmanager
def production() -> Iterator[World]:
    """Two servers, worker, relay and beat on a PostgreSQL and a Redis of their own."""
    with tempfile.TemporaryDirectory(prefix="lastword-faults-") as name:
        folder = Path(name)
        postgres, redis = Postgres(folder / "postgres"), Redis(folder / "redis")
        postgres.start()
        redis.start()
        try:
            with running(World(folder, postgres=postgres, redis=redis)) as world:
                yield world
        finally:
            redis.stop()
            postgres.stop()


@contextmanager
def embedded() -> Iterator[World]:
    """One process on SQLite."""
    with (
        tempfile.TemporaryDirectory(prefix="lastword-faults-") as name,
        running(World(Path(name), postgres=None, redis=None)) as world,
    ):
        yield world


@contextmanager
def running(world: World) -> Iterator[World]:
    (world.folder / "data").mkdir()
    world.manage("migrate", "--verbosity", "0")
    try:
        for name in world.commands:
            world.start(name)
        world.wait_until_ready()
        yield world
    finally:
        world.stop()
