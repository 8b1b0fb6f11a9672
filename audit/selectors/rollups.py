"""The stored figures, and what the conversations that moved since add to them."""

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime
from uuid import UUID

from audit.metrics.contributions import Contributions, contributions
from audit.metrics.deltas import Sums, differences
from audit.metrics.keys import Amount, Key
from audit.models import Contribution, Leaf, RollupCursor
from audit.selectors.talks import talks_of

KEY = tuple(f"figure__{name}" for name in Key._fields)
# Beyond so many waiting events a page says that it is behind instead of counting them itself.
LOOK_AHEAD = 5000


def cursor_position() -> int:
    """How many leaves are rolled up."""
    return RollupCursor.objects.values_list("position", flat=True).first() or 0


def stored_contributions(ids: Collection[UUID]) -> dict[UUID, Contributions]:
    """What these conversations added when they were last rolled up."""
    stored: dict[UUID, Contributions] = defaultdict(dict)
    rows = Contribution.objects.filter(relationship__in=ids)
    for pk, count, total, *key in rows.values_list("relationship_id", "count", "total", *KEY):
        stored[pk][Key(*key)] = Amount(count, total)
    return stored


def waiting_leaves() -> list[UUID]:
    """The conversations of events that are not rolled up yet, one an event; at most one more than is looked ahead."""
    found: list[UUID] = []
    # two questions, each with an index of its own: asked as one, every leaf there is would be looked at
    for waiting in (Leaf.objects.filter(index__gte=cursor_position()), Leaf.objects.filter(index=None)):
        ids = waiting.order_by().values_list("event__relationship_id", flat=True)
        found += ids[: LOOK_AHEAD + 1 - len(found)]
    return found


def look_ahead(*, flow: str | None = None, since: datetime | None = None) -> tuple[dict[Key, Sums], bool]:
    """By how much the figures will move when what waits is rolled up; and whether that is too much to look at.

    Only of conversations of one flow, or begun since a moment, where asked.
    """
    waiting = waiting_leaves()
    if len(waiting) > LOOK_AHEAD:
        return {}, True
    talks = {
        pk: talk
        for pk, talk in talks_of(set(waiting)).items()
        if flow in (None, talk.flow) and (since is None or talk.begun >= since)
    }
    after = {pk: contributions(talk) for pk, talk in talks.items()}
    return differences(stored_contributions(talks), after)[0], False
