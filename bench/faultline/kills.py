"""kill -9, each in the middle of the victim's work."""

import time
from pathlib import Path

from bench.faultline.run import Run, wait_for

STARTING = (3.0, 5.0)


def kill_servers(run: Run) -> str:
    """A server dies while turns are under way; its twin serves on."""
    kills = run.times(20)
    for _ in range(kills):
        name = run.chance.choice([part for part in run.world.parts if part.startswith("server")])
        run.pause(*STARTING)
        wait_for(lambda: run.load.seen.under_way["turn"] > 0, "a turn under way")
        run.world.kill(name)
        run.world.start(name)
    cut = run.load.seen.cut_off
    return f"{kills} kills of a server, {cut['turn']} turns and {cut.total() - cut['turn']} other requests cut off"


def kill_workers(run: Run) -> str:
    """Alternately one child of the pool, which the parent replaces, and the whole tree, which is started again."""
    kills = run.times(20)
    for number in range(kills):
        run.world.start_ended()  # a child killed before the pool stood ends the worker: Celery's own rule
        wait_for(lambda: bool(run.world.children("worker")), "a worker's pool")
        run.pause(1, 3)
        if number % 2:
            run.world.kill_child("worker", run.chance)
        else:
            run.world.kill("worker")
            run.world.start("worker")
    return f"{kills} kills of the Celery worker: {kills - kills // 2} trees, {kills // 2} children"


def kill_relay(run: Run) -> str:
    """Each time it has begun to deliver; what it had taken comes again after its lease."""
    kills = run.times(50)
    for _ in range(kills):
        before = run.receiver.heard.total()
        wait_for(lambda known=before: run.receiver.heard.total() > known, "a delivery")
        run.pause(0, 0.3)
        run.world.kill("relay")
        run.world.start("relay")
    return f"{kills} kills of the outbox relay while it delivered"


def kill_embedded(run: Run) -> str:
    """The one process dies with fifty writers in it, just as a commit reaches SQLite's log."""
    kills, wal = run.times(20), run.world.folder / "data" / "lastword.sqlite3-wal"
    for _ in range(kills):
        run.pause()
        wait_for_write(wal)
        run.world.kill("server 1")
        run.world.start("server 1")
        run.world.wait_until_ready()
    return f"{kills} kills in a commit under {run.load.writers} writers"


def wait_for_write(wal: Path) -> None:
    """Returns between the write to the log and, most likely, its sync: a commit takes both."""
    before, deadline = wal.stat().st_mtime_ns, time.monotonic() + 60
    while wal.stat().st_mtime_ns == before:
        assert time.monotonic() < deadline, "nobody wrote"
