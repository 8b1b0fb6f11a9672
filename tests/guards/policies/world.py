"""The standing cast of the guard tests: a quiet thread, a visitor's message, three personas."""

from dataclasses import replace
from typing import Any

from guards.policies.context import Persona, ThreadContext

ADA, BEN, CLEO = Persona("ada"), Persona("ben"), Persona("cleo")

QUIET = ThreadContext(
    thread="C1/100.1",
    event_id="Ev1",
    turns=0,
    last_message_age_ms=None,
    personas=(ADA, BEN, CLEO),
)


def context(**changes: Any) -> ThreadContext:
    """The quiet thread with some things different."""
    return replace(QUIET, **changes)
