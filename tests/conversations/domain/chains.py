"""Chains written by hand for tests of pure rules."""

from datetime import UTC, datetime, timedelta
from typing import Any

from conversations.domain.closure import Chain
from conversations.domain.events import CREATED, INTENT, RESPONSE_PREFIX, Recorded

START = datetime(2025, 11, 27, 14, 0, tzinfo=UTC)


def intent(name: str, **payload: Any) -> tuple[str, dict[str, Any]]:
    return INTENT, {"intent": name, **payload}


def response(name: str, **payload: Any) -> tuple[str, dict[str, Any]]:
    return RESPONSE_PREFIX + name, {"response": name, **payload}


def chain(*said: tuple[str, dict[str, Any] | None]) -> Chain:
    """A conversation in which this was said, one minute apart, after its creation."""
    told = [(CREATED, {}), *said]
    events = [
        Recorded(seq, kind, START + timedelta(minutes=seq - 1), "somebody", payload, hash=str(seq))
        for seq, (kind, payload) in enumerate(told, start=1)
    ]
    return Chain("fira-12345", START, events)
