"""What a fault works with."""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass

from bench.faultline.load import Load
from bench.faultline.receiver import Receiver
from bench.faultline.watching import Watchers
from bench.faultline.world import World

PAUSE = (0.3, 1.5)
WAIT_SECONDS = 60


@dataclass(slots=True)
class Run:
    """The processes, the load on them and whoever listens; `times` scales how often the damage is done."""

    world: World
    load: Load
    receiver: Receiver
    watchers: Watchers
    chance: random.Random
    times: Callable[[int], int]

    def pause(self, low: float = PAUSE[0], high: float = PAUSE[1]) -> None:
        time.sleep(self.chance.uniform(low, high))


def wait_for(happened: Callable[[], bool], what: str) -> None:
    """Looks every few milliseconds, so that damage falls into what it waits for."""
    deadline = time.monotonic() + WAIT_SECONDS
    while not happened():
        assert time.monotonic() < deadline, f"{what} did not happen within {WAIT_SECONDS} s"
        time.sleep(0.005)
