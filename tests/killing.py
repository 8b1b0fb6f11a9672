"""Processes that are killed for real (SIGKILL) at a chosen point of their work."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db import connection, connections

ENOUGH = 60
BEFORE, AFTER = "before", "after"


def killed(work: Callable[[], None]) -> None:
    """Runs the work in a process of its own, which must not survive it."""
    assert was_killed(work), "the child was to be killed at its work"


def was_killed(work: Callable[[], None]) -> bool:
    """Whether a process of its own was killed at this work; False when it came to the end of it."""
    connections.close_all()  # a forked child must not share our database connection
    child = os.fork()
    if child == 0:
        try:
            work()
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def die(*_: object, **__: object) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@contextmanager
def dies_at(number: int, side: str) -> Iterator[None]:
    """The process is killed at its n-th statement, BEGIN and savepoints included, on either side of it."""
    count = 0

    def count_down(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        nonlocal count
        count += 1
        if count == number and side == BEFORE:
            die()
        result = execute(sql, params, many, context)
        if count == number:
            die()
        return result

    with connection.execute_wrapper(count_down):
        yield


def every_point(act: Callable[[int], None]) -> Iterator[int]:
    """Kills the act at one statement after the other until it comes to its end; tells of each time."""
    for side in (BEFORE, AFTER):
        for number in range(1, ENOUGH):

            def work(number: int = number, side: str = side) -> None:
                with dies_at(number, side):
                    act(number)

            if not was_killed(work):
                assert number > 5, "a message is more than that many statements"
                break
            yield number
        else:
            pytest.fail("it never came to its end")
