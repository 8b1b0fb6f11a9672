"""A real server process for tests that must go over the wire: `server: LiveServer` is the fixture.

It has a data folder (and on PostgreSQL a database) of its own, and both are gone afterwards.
"""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

import httpx
import pytest

from tests.fresh_data import ROOT, fresh_data

START_SECONDS = 60
STOP_SECONDS = 20
COMMAND_SECONDS = 120


@dataclass(slots=True)
class LiveServer:
    """A served Lastword: its address, its management commands, its log."""

    url: str
    environment: dict[str, str]
    log: Path
    listener: socket.socket
    _keys: dict[tuple[str, str | None], str] = field(default_factory=dict)
    _process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def start(self) -> None:
        """Starts the process and waits until it is healthy; the address stays the same after a stop."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "config.serve", "--fd", str(self.listener.fileno())],
                cwd=ROOT,
                env=self.environment,
                stdout=log,
                stderr=subprocess.STDOUT,
                pass_fds=[self.listener.fileno()],
            )
        _wait_until_healthy(self._process, self)

    def stop(self) -> None:
        """Ends the process in good order."""
        process, self._process = self._process, None
        if process is None:
            return
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            raise

    def manage(self, *arguments: str) -> str:
        """Runs a management command against the server's data; what it printed."""
        # the checks would load the whole site, for seconds a command; CI runs them once, by themselves
        unchecked = [] if arguments[0] == "shell" else ["--skip-checks"]
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments, *unchecked],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=COMMAND_SECONDS,
            check=False,
        )
        if done.returncode:
            raise RuntimeError(f"manage.py {' '.join(arguments)} failed:\n{done.stdout}{done.stderr}")
        return done.stdout.strip()

    def key(self, role: str, participant: str | None = None) -> str:
        """An API key of that role, made once."""
        wanted = (role, participant)
        if wanted not in self._keys:
            name = "-".join(filter(None, ("test", role, participant)))
            bound = ["--participant", participant] if participant else []
            self._keys[wanted] = self.manage("create_api_key", name, "--role", role, *bound)
        return self._keys[wanted]


@contextmanager
def serve(**variables: str) -> Iterator[LiveServer]:
    """Starts a server with fresh data on a free port, and stops it; `variables` change its environment."""
    with ExitStack() as cleanup:
        folder = Path(cleanup.enter_context(TemporaryDirectory(prefix="lastword-live-")))
        environment = cleanup.enter_context(fresh_data(_environment(folder) | variables))
        # bound here and inherited: no other process can take the port in between
        listener = cleanup.enter_context(socket.create_server(("127.0.0.1", 0)))
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        server = LiveServer(address, environment, folder / "server.log", listener)
        cleanup.enter_context(_running(server))
        yield server


@contextmanager
def serve_beside(server: LiveServer) -> Iterator[LiveServer]:
    """A second server process on the same data, as in production."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        other = LiveServer(address, server.environment, server.log.with_name("beside.log"), listener, server._keys)
        with _running(other):
            yield other


@pytest.fixture(scope="session")
def server_process() -> Iterator[LiveServer]:
    """One server process for all tests of the session."""
    with serve() as running:
        yield running


@pytest.fixture
def server(server_process: LiveServer) -> Iterator[LiveServer]:
    """The running server; what this test made it log is shown by pytest when the test fails."""
    before = server_process.log.stat().st_size
    yield server_process
    with server_process.log.open("rb") as lines:
        lines.seek(before)
        sys.stderr.write(lines.read().decode(errors="replace"))


def _environment(folder: Path) -> dict[str, str]:
    return os.environ | {
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "LASTWORD_DATA": str(folder),
        "LASTWORD_HTTPS": "0",
        "LASTWORD_TWO_FACTOR": "0",
        "DEMO": "0",
    }


@contextmanager
def _running(server: LiveServer) -> Iterator[None]:
    try:
        server.start()
        yield
    finally:
        server.stop()


def _wait_until_healthy(process: subprocess.Popen[bytes], server: LiveServer) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        try:
            if httpx.get(f"{server.url}/healthz", timeout=2).is_success:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.1)
    raise RuntimeError(f"the server did not start:\n{server.log.read_text(errors='replace')}")
