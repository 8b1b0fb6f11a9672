"""Python values as the API spells them."""

from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

Moment = datetime | str


def moment(value: Moment | None) -> str | None:
    """ISO 8601 in UTC with `Z`; a naive datetime is UTC, as the seed's `datetime.utcnow()` means it."""
    if value is None or isinstance(value, str):
        return value
    aware = value.replace(tzinfo=UTC) if value.tzinfo is None else value
    return aware.astimezone(UTC).isoformat().replace("+00:00", "Z")


def appointment(document: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """An appointment whose start and end may be datetimes."""
    if document is None:
        return None
    return {name: moment(value) if name in {"start", "end"} else value for name, value in document.items()}


def appointment_from(
    document: Mapping[str, Any] | None, *, start: Moment | None, end: Moment | None, based: bool | None
) -> dict[str, Any] | None:
    """One appointment from the two ways to name it; contradictions are refused before anything is sent."""
    window = {name: value for name, value in (("start", start), ("end", end)) if value is not None}
    if document is not None and window:
        raise ValueError("give either appointment or appointment_start and appointment_end")
    chosen = document if document is not None else window or None
    if based is True and chosen is None:
        raise ValueError("appointment_based needs an appointment")
    if based is False and chosen is not None:
        raise ValueError("an appointment always decides the expiry: appointment_based cannot be False")
    return appointment(chosen)


def number(value: Decimal | float | None) -> float | None:
    """A JSON number; decimals have none of their own."""
    return float(value) if isinstance(value, Decimal) else value
