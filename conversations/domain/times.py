"""One spelling of a moment: ISO 8601, UTC, microseconds, `Z`."""

from datetime import UTC, datetime, timedelta

# Nothing is ever put off further than the longest back-off, ten minutes. What is due beyond this was written by a
# clock that ran ahead, and is taken for due: else an hour's error would hold messages back for that hour.
WRONG_CLOCK = timedelta(minutes=15)


def to_text(moment: datetime) -> str:
    """The moment as every answer and every ledger header spells it."""
    # strftime would write the year 158 with three digits, which nobody reads back
    return moment.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"


def from_text(text: str) -> datetime:
    """The moment behind a text written by `to_text`."""
    return datetime.fromisoformat(text.replace("Z", "+00:00"))
