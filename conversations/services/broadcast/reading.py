"""Database reads for sockets: on a few threads of their own, never on the event loop."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from django.db import close_old_connections

P = ParamSpec("P")
R = TypeVar("R")
THREADS = 4

_threads = ThreadPoolExecutor(THREADS, thread_name_prefix="socket-reads")


async def read(function: Callable[P, R], *args: P.args, **kwargs: P.kwargs) -> R:
    """What the function gives, read on one of the threads with its own lasting connection."""

    def job() -> R:
        close_old_connections()
        try:
            return function(*args, **kwargs)
        finally:
            close_old_connections()

    return await asyncio.get_running_loop().run_in_executor(_threads, job)
