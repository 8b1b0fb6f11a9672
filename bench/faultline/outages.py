"""What everything stands on goes away and comes back: Redis, PostgreSQL, the right time."""

import time

from bench.faultline.run import Run

AWAY_SECONDS = 2.0
CLOCKS = ("+1h", "-1h")
BACKGROUND = ("worker", "relay", "beat")


def keep_redis(run: Run) -> str:
    return restart_redis(run, wipe=False)


def wipe_redis(run: Run) -> str:
    return restart_redis(run, wipe=True)


def restart_redis(run: Run, *, wipe: bool) -> str:
    assert run.world.redis is not None
    restarts = run.times(3)
    for _ in range(restarts):
        run.pause(2, 5)
        run.world.redis.stop(wipe=wipe)
        time.sleep(AWAY_SECONDS)
        run.world.redis.start()
        run.world.wait_until_ready()
    return f"{restarts} kills of Redis, {AWAY_SECONDS:.0f} s away each, its data {'wiped' if wipe else 'kept'}"


def restart_postgres(run: Run) -> str:
    assert run.world.postgres is not None
    restarts, rounds = run.times(3), run.times(10)
    for _ in range(restarts):
        run.pause(2, 5)
        run.world.postgres.stop("immediate")
        time.sleep(1)
        run.world.postgres.start()
        run.world.wait_until_ready()
    ended = 0
    for _ in range(rounds):
        run.pause()
        ended += run.world.postgres.terminate_some(run.chance)
    return f"{restarts} immediate restarts of PostgreSQL, then {ended} random backends terminated in {rounds} rounds"


def move_clocks(run: Run) -> str:
    """Two servers two hours apart, and everything in the background an hour ahead, then behind; then all right."""
    seconds = run.times(15)
    for name, shift in zip(("server 1", "server 2"), CLOCKS, strict=True):
        moved(run, name, shift)
    for shift in CLOCKS:
        for name in BACKGROUND:
            moved(run, name, shift)
        run.world.wait_until_ready()
        time.sleep(seconds)
    for name in list(run.world.parts):
        moved(run, name, "")
    return f"servers at {' and '.join(CLOCKS)}; worker, relay and beat at each for {seconds} s; then the right time"


def moved(run: Run, name: str, shift: str) -> None:
    """The part dies and is there again with another idea of the time."""
    run.world.kill(name)
    run.world.start(name, prefix=("faketime", "-f", shift) if shift else ())
