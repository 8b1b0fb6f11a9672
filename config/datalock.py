"""One server a data folder: a lock that the kernel releases however the process ends."""

import fcntl
import os
from pathlib import Path


class DataFolderInUse(Exception):
    """Another process serves from this data folder."""


class DataLock:
    """Embedded mode keeps broadcasts and its task queue in memory, so a second process would lose
    messages silently. The lock makes a second worker, or a second server, refuse to start instead."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._descriptor: int | None = None

    def acquire(self) -> None:
        descriptor = os.open(self._file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(descriptor)
            raise DataFolderInUse(
                f"{self._file.parent} is already being served by another process. Embedded mode runs as one "
                "process with one worker; set DATABASE_URL and REDIS_URL to run several."
            ) from None
        self._descriptor = descriptor

    def release(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None
