"""Too many at once: writers on one conversation or on many, and every single writer twice."""

import subprocess
import sys

from bench.faultline.run import Run
from bench.faultline.world import ROOT

SIGN = (
    "from audit.services.checkpoints import make_checkpoint as m; from django.utils.timezone import now; m(now=now())"
)
SIGN_OFTEN = (
    "import time\n"
    "from audit.services.checkpoints import make_checkpoint\n"
    "from audit.services.sequencer import sequence\n"
    "from django.utils.timezone import now\n"
    "end = time.monotonic() + 40\n"
    "while time.monotonic() < end: sequence(); make_checkpoint(now=now())\n"
)


def one_conversation(run: Run) -> str:
    """200 writers on one conversation that ends at five intents."""
    run.load.wait()
    told = run.load.seen.statuses
    assert told[201] == 5, told
    return f"{run.load.writers} writers on one conversation, {told[201]} of {told.total()} admitted"


def many_conversations(run: Run) -> str:
    run.load.wait()
    said = run.load.seen.statuses[201]
    expected = run.load.writers * (run.load.messages or 0)
    assert said == expected, f"{said} of {expected} intents admitted"
    return f"{run.load.writers} writers, {said} intents on {len(run.load.ids)} conversations"


def twice_the_beat(run: Run) -> str:
    """A second beat and a second worker, and two sequencers that do nothing else, all on one log."""
    run.world.start("beat 2", like="beat")
    run.world.start("worker 2", like="worker")
    rounds = run.times(2)
    for _ in range(rounds):
        command = [sys.executable, "manage.py", "shell", "-v", "0", "-c", SIGN_OFTEN]
        both = [subprocess.Popen(command, cwd=ROOT, env=run.world.environment) for _ in range(2)]
        assert [process.wait(240) for process in both] == [0, 0], "a sequencer failed"
    return f"two beats, two workers, {rounds} × 40 s of two sequencers signing as often as they can"
