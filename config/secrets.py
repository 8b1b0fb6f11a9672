"""Secrets made on first start and kept in the data folder, readable by their owner only."""

import contextlib
import os
import secrets
import sys
from pathlib import Path


def read(file: Path) -> str:
    """The secret in `file`, or nothing when there is no such file."""
    return file.read_text(encoding="ascii").strip() if file.exists() else ""


def read_or_create(file: Path, length: int = 64) -> str:
    """The secret in `file`; the first caller makes it.

    Several processes may start at once (the server, a management command): each writes a file of
    its own and hard-links it into place, which only the first can do, so all read the same secret.
    """
    if not file.exists():
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = file.with_name(f"{file.name}.{os.getpid()}.{secrets.token_hex(4)}")
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "w", encoding="ascii") as out:
                out.write(secrets.token_urlsafe(length))
                out.flush()
                os.fsync(out.fileno())
            with contextlib.suppress(FileExistsError):
                os.link(draft, file)
        finally:
            draft.unlink()
    return read(file)


if __name__ == "__main__":
    read_or_create(Path(sys.argv[1]))
