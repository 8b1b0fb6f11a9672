"""SQLite in the data folder, or PostgreSQL by DATABASE_URL; the cache beside it."""

from typing import Any

from config import env
from config.settings.runtime import EMBEDDED, LASTWORD_DATA, REDIS_URL

# Requests run on long-lived threads, so connections last; a broken one is found at the next
# request's start instead of failing in its middle.
PERSISTENT = {"CONN_MAX_AGE": 600, "CONN_HEALTH_CHECKS": True}


def _sqlite() -> dict[str, Any]:
    LASTWORD_DATA.mkdir(mode=0o700, parents=True, exist_ok=True)
    return {
        "ENGINE": "config.sqlite",
        "NAME": LASTWORD_DATA / "lastword.sqlite3",
        # IMMEDIATE takes the write lock at BEGIN: a transaction waits its turn there, and never
        # fails halfway because another one wrote after it read.
        "OPTIONS": {"transaction_mode": "IMMEDIATE", "timeout": 30},
        "TEST": {"NAME": LASTWORD_DATA / "test.sqlite3"},
        **PERSISTENT,
    }


def _postgres() -> dict[str, Any]:
    database = env.postgres("DATABASE_URL")
    database["OPTIONS"].setdefault("connect_timeout", "5")
    database["OPTIONS"].setdefault("application_name", "lastword")
    return {"ENGINE": "django.db.backends.postgresql", **database, **PERSISTENT}


DATABASES = {"default": _sqlite() if EMBEDDED else _postgres()}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

CACHES: dict[str, dict[str, Any]] = {
    "default": (
        {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "LOCATION": "lastword"}
        if EMBEDDED
        else {
            "BACKEND": "config.redis_cache.KeptRedisCache",
            "LOCATION": REDIS_URL,
            "KEY_PREFIX": "lastword",
            "OPTIONS": {"socket_timeout": 5, "socket_connect_timeout": 5},
        }
    )
}
