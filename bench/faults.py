"""Faults on real processes: load, fault, recovery, then every invariant; seeded, on databases of the bench's own.

python -m bench.faults [--scale 1.0] [--seed 1] [--only NAME ...]

`--scale 0.1` does a tenth of the damage; the report says what was done. Ends with status 1 when anything does not hold.
"""

import argparse
import random
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

from bench.faultline import crowds, dumps, kills, outages, slow_socket, webhooks
from bench.faultline.checks import checked
from bench.faultline.load import Load
from bench.faultline.receiver import Receiver, receiver
from bench.faultline.run import Run
from bench.faultline.stage import set_stage
from bench.faultline.watching import Watchers
from bench.faultline.world import World, embedded, production

WATCHED = 3
CROWD = {"writers": 200, "storytellers": 0}
ONE = {**CROWD, "conversations": 1, "max_depth": 5, "messages": 1}


@dataclass(frozen=True, slots=True)
class Fault:
    """A scenario, where it happens, and under which load."""

    work: Callable[[Run], str]
    place: Callable[[], AbstractContextManager[World]] = production
    load: dict[str, Any] = field(default_factory=dict)
    leaves_nothing: bool = False  # what was there is gone on purpose: nothing to check afterwards


FAULTS = {
    "writers on one": Fault(crowds.one_conversation, load=ONE),
    "writers on 500": Fault(crowds.many_conversations, load={**CROWD, "conversations": 500, "messages": 5}),
    "kill servers": Fault(kills.kill_servers, load={"storytellers": 8}),
    "kill workers": Fault(kills.kill_workers),
    "kill relay": Fault(kills.kill_relay),
    "redis kept": Fault(outages.keep_redis),
    "redis wiped": Fault(outages.wipe_redis),
    "postgres": Fault(outages.restart_postgres),
    "clocks": Fault(outages.move_clocks),
    "webhooks": Fault(webhooks.repeat_webhooks, load={"writers": 2, "storytellers": 1}),
    "two beats": Fault(crowds.twice_the_beat),
    "slow socket": Fault(slow_socket.slow_socket),
    "old dump": Fault(dumps.old_dump, leaves_nothing=True),
    "sqlite writers on one": Fault(crowds.one_conversation, place=embedded, load=ONE),
    "sqlite kill": Fault(kills.kill_embedded, place=embedded, load={"writers": 50}),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", nargs="*", choices=FAULTS, default=list(FAULTS))
    options = parser.parse_args()
    failed = [name for name in options.only if not survived(name, FAULTS[name], options)]
    print(f"\n{len(options.only) - len(failed)} of {len(options.only)} faults survived", flush=True)
    sys.exit(1 if failed else 0)


def survived(name: str, fault: Fault, options: argparse.Namespace) -> bool:
    """Load, fault, recovery, checks; prints one line."""
    began = time.monotonic()
    try:
        with fault.place() as world, receiver() as heard:
            try:
                told = happened(name, fault, options, world, heard)
            except Exception:
                print(world.complaints(), flush=True)
                raise
    except Exception as problem:
        print(f"FAILED  {name}: {type(problem).__name__}: {problem}"[:2000], flush=True)
        return False
    print(f"held    {name}: {told} ({time.monotonic() - began:.0f} s)", flush=True)
    return True


def happened(name: str, fault: Fault, options: argparse.Namespace, world: World, heard: Receiver) -> str:
    load = Load(world.url, set_stage(world, listener=heard.url), options.seed, **fault.load)
    load.open_conversations()
    watchers = Watchers(world.url, load.headers, dict.fromkeys(load.ids[:WATCHED], 0))
    watchers.start()
    load.start()
    chance = random.Random(f"{options.seed} {name}")
    run = Run(world, load, heard, watchers, chance, lambda count: max(1, round(count * options.scale)))
    told = fault.work(run)
    return told if fault.leaves_nothing else f"{told}; {checked(run)}"


if __name__ == "__main__":
    main()
