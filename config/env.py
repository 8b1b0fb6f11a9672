"""Typed readers of environment variables. Each refuses nonsense and names the variable."""

import os
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

TRUE = frozenset({"1", "true", "yes", "on"})
FALSE = frozenset({"0", "false", "no", "off"})


class EnvError(ImproperlyConfigured):
    """An environment variable is missing or makes no sense."""

    def __init__(self, name: str, problem: str) -> None:
        super().__init__(f"environment variable {name}: {problem}")


def text(name: str, default: str = "") -> str:
    """The variable without surrounding blanks; a blank one counts as unset."""
    value = os.environ.get(name, "").strip()
    if "\x00" in value or "\n" in value:
        raise EnvError(name, "must be one line of text")
    return value or default


def required(name: str, why: str) -> str:
    """The variable, refusing to go on without it."""
    value = text(name)
    if not value:
        raise EnvError(name, f"is not set; {why}")
    return value


def boolean(name: str, default: bool) -> bool:
    value = text(name).lower()
    if not value:
        return default
    if value in TRUE:
        return True
    if value in FALSE:
        return False
    raise EnvError(name, f"must be 1 or 0 (true/false, yes/no, on/off), got {value!r}")


def integer(name: str, default: int, *, low: int, high: int) -> int:
    value = text(name)
    if not value:
        return default
    # int() also takes "1_000", " 7" and Arabic digits: a typo should not become a number.
    if not (value.removeprefix("-").isascii() and value.removeprefix("-").isdigit()):
        raise EnvError(name, f"must be a whole number, got {value!r}")
    number = int(value)
    if not low <= number <= high:
        raise EnvError(name, f"must be between {low} and {high}, got {number}")
    return number


def decimal(name: str, default: Decimal, *, low: Decimal, high: Decimal) -> Decimal:
    value = text(name)
    if not value:
        return default
    try:
        number = Decimal(value)
    except InvalidOperation:
        raise EnvError(name, f"must be a decimal number, got {value!r}") from None
    if not number.is_finite() or not low <= number <= high:
        raise EnvError(name, f"must be between {low} and {high}, got {value}")
    return number


def choice(name: str, default: str, *, among: Iterable[str]) -> str:
    value = text(name, default)
    allowed = tuple(among)
    if value not in allowed:
        raise EnvError(name, f"must be one of {', '.join(allowed)}, got {value!r}")
    return value


def words(name: str, default: Iterable[str] = ()) -> list[str]:
    """A comma-separated list."""
    value = text(name)
    if not value:
        return list(default)
    return [word for word in (part.strip() for part in value.split(",")) if word]


def path(name: str, default: Path) -> Path:
    """An absolute path; the folder need not exist yet."""
    value = text(name)
    found = Path(value).expanduser() if value else default
    return found if found.is_absolute() else Path.cwd() / found


def url(name: str, default: str = "", *, schemes: Iterable[str] = ("http", "https")) -> str:
    """An absolute URL with a host."""
    value = text(name, default)
    if not value:
        return ""
    allowed = tuple(schemes)
    try:
        parts = urlsplit(value)
        host, _ = parts.hostname, parts.port
    except ValueError as error:
        raise EnvError(name, f"is not a URL ({error})") from None
    if parts.scheme not in allowed:
        raise EnvError(name, f"must start with {' or '.join(f'{scheme}://' for scheme in allowed)}")
    if not host:
        raise EnvError(name, "names no host")
    return value


def postgres(name: str) -> dict[str, Any]:
    """Django's settings for `postgres://user:password@host:port/database?option=value`.

    Percent-encoding is undone in every part; the host may be left out (a Unix socket, or
    `?host=/run/postgresql`); other query parameters go to libpq as connection options.
    """
    value = text(name)
    try:
        parts = urlsplit(value)
        port = parts.port
    except ValueError as error:
        raise EnvError(name, f"is not a URL ({error})") from None
    if parts.scheme not in {"postgres", "postgresql"}:
        raise EnvError(name, "must look like postgres://user:password@host:port/database")
    database = unquote(parts.path.removeprefix("/"))
    if not database or "/" in database:
        raise EnvError(name, "must name one database after the host: postgres://host/database")
    if parts.fragment:
        raise EnvError(name, "has a '#': write it as %23")
    options = dict(parse_qsl(parts.query, keep_blank_values=True))
    return {
        "NAME": database,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        "HOST": unquote(parts.hostname or "") or options.pop("host", ""),
        "PORT": str(port or options.pop("port", "")),
        "OPTIONS": options,
    }
