"""Environment readers take what makes sense and refuse the rest by name."""

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from config import env

Read = Callable[[], Any]

READERS: dict[str, Read] = {
    "boolean": lambda: env.boolean("X", False),
    "integer": lambda: env.integer("X", 5, low=1, high=10),
    "decimal": lambda: env.decimal("X", Decimal("1.5"), low=Decimal(0), high=Decimal(2)),
    "choice": lambda: env.choice("X", "a", among=("a", "b")),
    "url": lambda: env.url("X"),
    "postgres": lambda: env.postgres("X"),
    "text": lambda: env.text("X"),
}


@pytest.mark.parametrize(
    ("reader", "value", "meaning"),
    [
        ("boolean", "1", True),
        ("boolean", "Yes", True),
        ("boolean", "off", False),
        ("boolean", "", False),
        ("integer", "10", 10),
        ("integer", " 7 ", 7),
        ("integer", "", 5),
        ("decimal", "0.25", Decimal("0.25")),
        ("decimal", "", Decimal("1.5")),
        ("choice", "b", "b"),
        ("choice", "", "a"),
        ("url", "https://example.org/x?y=1", "https://example.org/x?y=1"),
        ("url", "", ""),
        ("text", "  padded ", "padded"),
    ],
)
def test_sense_is_read(monkeypatch: pytest.MonkeyPatch, reader: str, value: str, meaning: object) -> None:
    monkeypatch.setenv("X", value)
    assert READERS[reader]() == meaning


@pytest.mark.parametrize(
    ("reader", "value"),
    [
        ("boolean", "maybe"),
        ("boolean", "2"),
        ("integer", "0"),
        ("integer", "11"),
        ("integer", "1_0"),
        ("integer", "1.0"),
        ("integer", "٣"),
        ("integer", "--1"),
        ("decimal", "NaN"),
        ("decimal", "Infinity"),
        ("decimal", "2.1"),
        ("decimal", "much"),
        ("choice", "c"),
        ("url", "ftp://example.org"),
        ("url", "https://"),
        ("url", "http://[::1"),
        ("url", "http://example.org:99999"),
        ("url", "example.org"),
        ("postgres", "mysql://host/database"),
        ("postgres", "postgres://host"),
        ("postgres", "postgres://host/a/b"),
        ("postgres", "postgres://host:port/database"),
        ("postgres", "postgres://host/data#base"),
        ("text", "two\nlines"),
    ],
)
def test_nonsense_is_refused_by_name(monkeypatch: pytest.MonkeyPatch, reader: str, value: str) -> None:
    monkeypatch.setenv("X", value)
    with pytest.raises(env.EnvError, match="environment variable X:"):
        READERS[reader]()


def test_a_secret_in_a_database_address_is_not_repeated_in_the_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("X", "mysql://user:hunter2@host/database")
    with pytest.raises(env.EnvError) as refusal:
        env.postgres("X")
    assert "hunter2" not in str(refusal.value)


def test_what_is_required_is_missed_with_the_reason() -> None:
    with pytest.raises(env.EnvError, match="environment variable SURELY_UNSET: is not set; it is needed"):
        env.required("SURELY_UNSET", "it is needed")


def test_a_database_address_is_decoded_in_every_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("X", "postgres://us%40er:p%2Fw%23@db.example:6543/na%20me?sslmode=require&connect_timeout=3")
    assert env.postgres("X") == {
        "NAME": "na me",
        "USER": "us@er",
        "PASSWORD": "p/w#",
        "HOST": "db.example",
        "PORT": "6543",
        "OPTIONS": {"sslmode": "require", "connect_timeout": "3"},
    }


def test_a_database_may_be_reached_by_its_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("X", "postgresql:///name?host=/run/postgresql")
    read = env.postgres("X")
    assert (read["HOST"], read["PORT"], read["OPTIONS"]) == ("/run/postgresql", "", {})


def test_paths_become_absolute(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("X", "data")
    assert env.path("X", Path("/elsewhere")) == tmp_path / "data"


def test_lists_drop_blanks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("X", "a, b,,")
    assert env.words("X") == ["a", "b"]
