"""A plan is a call without its input and output: a generator that asks for sends and gets their outcomes.

Both clients run the same plans; only how a request is sent and how time is spent differs between them.
"""

from collections.abc import Generator, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Request:
    """One HTTP request, ready to be sent any number of times."""

    method: str
    path: str
    query: Mapping[str, str] = field(default_factory=dict)
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | None = None


@dataclass(frozen=True, slots=True)
class Reply:
    """What came back; header names in lower case."""

    status: int
    headers: Mapping[str, str]
    content: bytes


@dataclass(frozen=True, slots=True)
class Lost:
    """No answer came; `retryable` is false where no repetition can change that."""

    cause: Exception
    retryable: bool = True


@dataclass(frozen=True, slots=True)
class Send:
    """Asks for the request to be sent after `delay` seconds, and at most `patience` seconds of waiting."""

    request: Request
    delay: float
    patience: float


Plan: TypeAlias = Generator[Send, Reply | Lost, T]
