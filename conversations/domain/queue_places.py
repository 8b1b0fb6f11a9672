"""Who has to hear of their place in the queue: whoever's number is another than the last one told."""

from collections.abc import Mapping

Places = Mapping[str, int]


def moved(before: Places, now: Places) -> dict[str, int | None]:
    """The new number of each whose number changed; None for who waits no longer."""
    changed: dict[str, int | None] = {who: place for who, place in now.items() if before.get(who) != place}
    return changed | dict.fromkeys(before.keys() - now.keys())
