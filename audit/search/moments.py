"""One number orders every event: its moment in microseconds, then its place among the events of that moment."""

from datetime import UTC, datetime, timedelta

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
PLACES = 2048  # events of one microsecond; a sweep ends five hundred conversations at the same moment


def first_key(moment: datetime) -> int:
    """The smallest key an event of this moment can have."""
    return int((moment - EPOCH) / timedelta(microseconds=1)) * PLACES


def moment_of(key: int) -> datetime:
    return EPOCH + timedelta(microseconds=key // PLACES)


class KeyGiver:
    """Hands out keys: an event's moment, then the next free place. More than fit go to the next microsecond."""

    def __init__(self, taken: dict[int, int]) -> None:
        """`taken` has the last key in use for the moments at hand, by their first key."""
        self.next = {first: last + 1 for first, last in taken.items()}

    def key_for(self, moment: datetime) -> int:
        first = first_key(moment)
        key = self.next.get(first, first)
        self.next[first] = key + 1
        return key
