"""Ranges of days: what may be asked for, the period before, and the steps of a time line."""

from dataclasses import dataclass
from datetime import date, timedelta

MOST_DAYS = 731
DEFAULT_DAYS = 30
# A time line stays readable: days, then weeks, then months.
DAYS_UP_TO = 62
WEEKS_UP_TO = 400
EARLIEST = date(2000, 1, 1)


class PeriodError(ValueError):
    """A range that makes no sense; `code` says why."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(frozen=True, slots=True)
class Period:
    """Whole days, both ends included."""

    first: date
    last: date

    @property
    def days(self) -> int:
        return (self.last - self.first).days + 1

    @property
    def before(self) -> "Period":
        """As many days, right before."""
        return self.earlier(self.days)

    def earlier(self, days: int) -> "Period":
        return Period(self.first - timedelta(days=days), self.last - timedelta(days=days))

    def steps(self) -> list["Period"]:
        """The period in days, weeks from Monday or months; the first and last are cut to it."""
        found = []
        start = self.first
        while start <= self.last:
            end = min(self.last, self.end_of_step(start))
            found.append(Period(start, end))
            start = end + timedelta(days=1)
        return found

    def end_of_step(self, start: date) -> date:
        if self.days <= DAYS_UP_TO:
            return start
        if self.days <= WEEKS_UP_TO:
            return start + timedelta(days=6 - start.weekday())
        following = date(start.year + start.month // 12, start.month % 12 + 1, 1)
        return following - timedelta(days=1)


def period_of(first: str, last: str, *, today: date) -> Period:
    """The range asked for in words; without any, the last thirty days. Refuses what is backwards, huge or no date."""
    try:
        ends = date.fromisoformat(last) if last else today
        begins = date.fromisoformat(first) if first else ends - timedelta(days=DEFAULT_DAYS - 1)
    except (ValueError, OverflowError) as problem:
        raise PeriodError("no_date") from problem
    if begins > ends:
        raise PeriodError("backwards")
    if (ends - begins).days >= MOST_DAYS:
        raise PeriodError("too_long")
    if begins < EARLIEST or ends > today + timedelta(days=366):
        raise PeriodError("out_of_range")
    return Period(begins, ends)
