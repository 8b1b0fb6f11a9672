"""`python -m config.stack`: the production shape on one machine.

Several server processes on one listening socket, Celery workers for tasks and for deliveries, and
beat. Nothing is restarted: when one part ends, all are stopped, so that a failure is seen.
"""

import argparse
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from types import FrameType

from config import env

STOP_SECONDS = 15.0
# Threads that wait for others' servers most of the time: with as few as there are cores, two slow receivers stop all.
RELAY_POOL = ["--pool", "threads", "--concurrency", "8"]
CELERY = [sys.executable, "-m", "celery", "--app", "config", "--quiet"]


def commands(servers: int, fd: int) -> dict[str, list[str]]:
    """Every part's name and command line."""
    worker = [*CELERY, "worker", "--without-gossip", "--without-mingle", "--loglevel", "WARNING"]
    return {
        **{
            f"server {number}": [sys.executable, "-m", "config.serve", "--fd", str(fd)]
            for number in range(1, servers + 1)
        },
        "worker": [*worker, "--queues", "lastword,webhooks", "--hostname", "worker@%h", "--concurrency", "2"],
        "relay": [*worker, "--queues", "relay", "--hostname", "relay@%h", *RELAY_POOL],
        "beat": [*CELERY, "beat", "--loglevel", "WARNING", "--pidfile="],
    }


def listening_socket() -> socket.socket:
    host, port = env.text("HOST", "127.0.0.1"), env.integer("PORT", 8000, low=0, high=65535)
    listening = socket.create_server((host, port), backlog=2048, family=_family(host))
    listening.set_inheritable(True)
    return listening


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def share_instruments() -> None:
    """All parts count into files of one folder, emptied at the start: a scrape may meet any of the servers."""
    folder = env.path("LASTWORD_DATA", Path.cwd() / "var") / "instruments"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700, parents=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)


class Stack:
    """The running parts."""

    def __init__(self) -> None:
        self._parts: dict[str, subprocess.Popen[bytes]] = {}
        self._stopping = False

    def start(self, name: str, command: list[str], fd: int) -> None:
        # A session of its own: Ctrl-C in the terminal reaches this supervisor alone, which then stops
        # the parts in order instead of all of them being interrupted at once.
        self._parts[name] = subprocess.Popen(command, pass_fds=(fd,), start_new_session=True)  # noqa: S603 our own

    def request_stop(self, _number: int, _frame: FrameType | None) -> None:
        self._stopping = True

    def wait(self) -> int:
        """Until a signal asks to stop (0) or a part ends by itself (1)."""
        while not self._stopping:
            for name, process in self._parts.items():
                if process.poll() is not None:
                    print(
                        f"{name} ended with status {process.returncode}: stopping",
                        file=sys.stderr,
                        flush=True,
                    )
                    return 1
            time.sleep(0.2)
        return 0

    def stop(self) -> None:
        """Ask all to end, wait, and kill what does not, children of prefork workers included."""
        for process in self._parts.values():
            if process.poll() is None:
                process.terminate()
        deadline = time.monotonic() + STOP_SECONDS
        for process in self._parts.values():
            try:
                process.wait(max(0.0, deadline - time.monotonic()))
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--servers", type=int, default=2, choices=range(1, 65), metavar="1..64")
    arguments = parser.parse_args()
    env.required("DATABASE_URL", "the production shape needs PostgreSQL (make run needs nothing)")
    env.required("REDIS_URL", "the production shape needs Redis (make run needs nothing)")
    share_instruments()
    stack = Stack()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stack.request_stop)
    with listening_socket() as listening:
        try:
            for name, command in commands(arguments.servers, listening.fileno()).items():
                stack.start(name, command, listening.fileno())
            host, port = listening.getsockname()[:2]
            print(f"Lastword: {arguments.servers} servers at http://{host}:{port}/", flush=True)
            return stack.wait()
        finally:
            stack.stop()


if __name__ == "__main__":
    sys.exit(main())
