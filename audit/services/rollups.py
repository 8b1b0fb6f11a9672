"""Figures by day, kept up with the log: what each conversation adds is stored, and replaced when it moves on.

The cursor counts the log's leaves, which the sequencer numbers in the order in which it found them committed: a number
once passed never appears later, as an event's id may. Figures, contributions and cursor move in one transaction.
"""

from collections.abc import Collection, Mapping
from datetime import date, datetime
from uuid import UUID

from django.db import connection, transaction
from django.db.models import F

from audit.metrics.contributions import Contributions, contributions
from audit.metrics.deltas import Changed, Sums, differences
from audit.metrics.keys import Key
from audit.models import Contribution, DayFigure, Leaf, RollupCursor
from audit.selectors.rollups import cursor_position, stored_contributions
from audit.selectors.talks import talks_of
from audit.services.loop_cases import refresh_cases
from conversations.models import Event

BATCH = 2000
ROWS = 100
DELETED_AT_ONCE = 5000

# Sums are added where the row is, so that no figure is read before it is written.
ADD = """
INSERT INTO audit_dayfigure (measure, day, flow, subject, channel, driver, conversations, count, total)
VALUES {rows}
ON CONFLICT (measure, day, flow, subject, channel, driver) DO UPDATE SET
  conversations = audit_dayfigure.conversations + excluded.conversations,
  count = audit_dayfigure.count + excluded.count,
  total = audit_dayfigure.total + excluded.total
RETURNING id, day, measure, flow, subject, channel, driver
"""
ROW = "(%s, %s, %s, %s, %s, %s, %s, %s, %s)"


def roll_up(*, now: datetime, limit: int | None = None) -> int:
    """Rolls up what was numbered since the last time, at most `limit` leaves. Returns how many leaves."""
    done = 0
    while limit is None or done < limit:
        size = BATCH if limit is None else min(BATCH, limit - done)
        batch = roll_up_batch(size, now=now)
        done += batch
        if batch == 0:
            break
    return done


def roll_up_batch(size: int, *, now: datetime) -> int:
    """One slice of the log.

    The conversations are read before the transaction, after the leaves: an event that commits in between gets a later
    number, and its conversation is read again then. A rival who moved the cursor meanwhile makes this one void.
    """
    position = cursor_position()
    numbers = Leaf.objects.filter(index__gte=position, index__lt=position + size)
    touched = dict(numbers.order_by("index").values_list("index", "event__relationship_id"))
    if not touched:
        return 0
    until = max(touched) + 1
    ids = without_later_leaves(set(touched.values()), until)
    added = {pk: contributions(talk) for pk, talk in talks_of(ids).items()}
    with transaction.atomic():
        if not move_cursor(position, until, now=now):
            return 0
        replace_contributions(added)
        refresh_cases(ids)
    return until - position


def without_later_leaves(ids: Collection[UUID], until: int) -> list[UUID]:
    """Those that no later slice will meet anyway: a rebuild reads each conversation once, at its last event."""
    heads = Event.objects.filter(relationship__in=ids, seq=F("relationship__head_seq"))
    later = set(heads.filter(leaf__index__gte=until).values_list("relationship_id", flat=True))
    return [pk for pk in ids if pk not in later]


def move_cursor(position: int, until: int, *, now: datetime) -> bool:
    """The conditional update is the lock: who finds the cursor elsewhere changes nothing."""
    RollupCursor.objects.get_or_create(pk=RollupCursor.ONLY)
    return bool(RollupCursor.objects.filter(position=position).update(position=until, moved_at=now))


def replace_contributions(added: Mapping[UUID, Contributions]) -> None:
    """What these conversations added before is taken out of the figures, and what they add now put in."""
    deltas, changed = differences(stored_contributions(added), added)
    figures = add_to_figures(deltas)
    forget(changed, figures)
    Contribution.objects.bulk_create(
        Contribution(figure_id=figures[key], relationship_id=pk, count=amount.times, total=amount.total)
        for pk, key in changed
        if (amount := added[pk].get(key)) is not None
    )
    DayFigure.objects.filter(pk__in=figures.values(), conversations=0).delete()


def add_to_figures(deltas: Mapping[Key, Sums]) -> dict[Key, int]:
    """Moves the figures, making those there were none of; their ids."""
    ids: dict[Key, int] = {}
    rows = [(key.measure, key.day, *key[2:], *delta) for key, delta in deltas.items()]
    with connection.cursor() as cursor:
        for start in range(0, len(rows), ROWS):
            some = rows[start : start + ROWS]
            cursor.execute(ADD.format(rows=", ".join([ROW] * len(some))), [value for row in some for value in row])
            for pk, day, *rest in cursor.fetchall():
                # SQLite has no dates of its own
                ids[Key(date.fromisoformat(str(day)), *rest)] = pk
    return ids


def forget(changed: Changed, figures: Mapping[Key, int]) -> None:
    """The contributions that are about to be replaced."""
    stale = {(pk, figures[key]) for pk, key in changed}
    stored = Contribution.objects.filter(relationship__in={pk for pk, _ in stale})
    ids = [pk for pk, *pair in stored.values_list("pk", "relationship_id", "figure_id") if tuple(pair) in stale]
    for start in range(0, len(ids), DELETED_AT_ONCE):
        Contribution.objects.filter(pk__in=ids[start : start + DELETED_AT_ONCE]).delete()


def rebuild(*, now: datetime) -> int:
    """Forgets every figure and counts the whole log again. Returns how many leaves.

    Interrupted, the timetable goes on where it stopped: the figures are of a part of the log until then, and say so.
    """
    with transaction.atomic():
        RollupCursor.objects.get_or_create(pk=RollupCursor.ONLY)
        RollupCursor.objects.update(position=0, moved_at=now)
        Contribution.objects.all().delete()
        DayFigure.objects.all().delete()
    return roll_up(now=now)
