"""Fresh data for a server of the tests: migrated once a process, then copied, which takes a tenth of the time."""

import atexit
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import sql

# Long enough to pass; nothing is made with it, and each server has its own.
MIGRATING = "only for the time of a migration: 0123456789 abcdefghij"
ROOT = Path(__file__).resolve().parents[1]
CREATE, COPY = sql.SQL("CREATE DATABASE {}"), sql.SQL("CREATE DATABASE {} TEMPLATE {}")
DROP = sql.SQL("DROP DATABASE {} WITH (FORCE)")


@contextmanager
def fresh_data(environment: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """The environment of a server whose folder, and on PostgreSQL whose database, nobody used before."""
    url = environment.get("DATABASE_URL", "")
    template, template_url = _template(url, environment.get("REDIS_URL", ""))
    shutil.copytree(template, environment["LASTWORD_DATA"], dirs_exist_ok=True)
    if not url:
        yield dict(environment)
        return
    own = _beside(url, "live")
    _run(url, COPY, own, template_url)
    try:
        yield {**environment, "DATABASE_URL": own}
    finally:
        _run(url, DROP, own)


@cache
def _template(url: str, redis: str) -> tuple[Path, str]:
    """A migrated folder and database that no server ever ran on; gone when this process ends."""
    folder, database = Path(mkdtemp(prefix="lastword-template-")), url and _beside(url, "template")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    if database:
        _run(url, CREATE, database)
        atexit.register(_run, url, DROP, database)
    environment = {"LASTWORD_SECRET_KEY": MIGRATING, **os.environ, "DJANGO_SETTINGS_MODULE": "config.settings"}
    environment |= {
        "LASTWORD_DATA": str(folder), "DATABASE_URL": database, "REDIS_URL": redis, "LASTWORD_HTTPS": "0"
    }  # fmt: skip
    command = [sys.executable, "manage.py", "migrate", "--verbosity", "0", "--skip-checks"]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    return folder, database


def _beside(url: str, purpose: str) -> str:
    """The address of another database on the same server, so that a server never sees the test process's rows."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(path=f"{parts.path}_{purpose}_{os.getpid()}_{time.monotonic_ns()}"))


def _run(url: str, statement: sql.SQL, *databases: str) -> None:
    names = [sql.Identifier(urlsplit(each).path.strip("/")) for each in databases]
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(statement.format(*names))
