"""PostgreSQL and Redis of the bench's own, on ports of their own: nothing shared is ever stopped."""

import os
import random
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

import psycopg
import redis

WAIT_SECONDS = 60


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


class Postgres:
    """A cluster in a folder; as root its processes run as the user `postgres`, since PostgreSQL refuses root."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        binaries = subprocess.run(["pg_config", "--bindir"], capture_output=True, text=True, check=True).stdout.strip()
        self._binaries = Path(binaries)
        self._as_owner = ["runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        folder.mkdir()
        if self._as_owner:
            shutil.chown(folder, "postgres")
            for parent in folder.parents[:1]:
                parent.chmod(0o755)
        self._run("initdb", "-D", str(folder), "-A", "trust", "-U", "bench", "--no-sync")

    @property
    def url(self) -> str:
        return f"postgres://bench@127.0.0.1:{self.port}/postgres"

    def _run(self, program: str, *arguments: str) -> None:
        command = [*self._as_owner, str(self._binaries / program), *arguments]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd="/")

    def start(self) -> None:
        options = f"-p {self.port} -k {self.folder} -c listen_addresses=127.0.0.1 -c max_connections=200"
        self._run("pg_ctl", "-D", str(self.folder), "-w", "-l", str(self.folder / "log"), "-o", options, "start")

    def stop(self, mode: str = "immediate") -> None:
        """`immediate` is a crash: the next start recovers from the log."""
        self._run("pg_ctl", "-D", str(self.folder), "-w", "-m", mode, "stop")

    def terminate_some(self, chance: random.Random) -> int:
        """Ends about half of the service's connections, whatever they are at; says how many."""
        with psycopg.connect(self.url, autocommit=True) as connection:
            rows = connection.execute(
                "SELECT pid FROM pg_stat_activity WHERE application_name = 'lastword' ORDER BY pid"
            ).fetchall()
            chosen = [pid for (pid,) in rows if chance.random() < 0.5]
            connection.execute("SELECT pg_terminate_backend(pid) FROM unnest(%s::int[]) AS pid", [chosen])
        return len(chosen)

    def dump(self, file: Path) -> None:
        with file.open("wb") as out:
            subprocess.run([self._binaries / "pg_dump", "-Fc", self.url], check=True, stdout=out)

    def restore(self, file: Path) -> None:
        """The database as it was when dumped."""
        with psycopg.connect(self.url.replace("/postgres", "/template1"), autocommit=True) as connection:
            connection.execute("DROP DATABASE postgres WITH (FORCE)")
            connection.execute("CREATE DATABASE postgres")
        subprocess.run([self._binaries / "pg_restore", "-d", self.url, str(file)], check=True, capture_output=True)


class Redis:
    """A server that writes every change to its log, so that a restart can keep what it had."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.folder, self.port = folder, free_port()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    def start(self) -> None:
        command = ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(self.folder)]
        self._process = subprocess.Popen([*command, "--appendonly", "yes", "--save", ""], stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + WAIT_SECONDS
        while time.monotonic() < deadline:
            try:
                redis.Redis.from_url(self.url).ping()
                return
            except redis.RedisError:
                time.sleep(0.05)
        raise RuntimeError("redis did not start")

    def stop(self, *, wipe: bool = False) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
        if wipe:
            shutil.rmtree(self.folder)
            self.folder.mkdir()
