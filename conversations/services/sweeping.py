"""The clock's part in ending conversations: everything whose time is over, in batches."""

import logging
from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db import OperationalError, transaction
from django.db.models import Q
from django.utils import timezone

from conversations.domain.closure import ClosureType
from conversations.selectors.events import chains_of
from conversations.selectors.relationships import due_at, locked_due
from conversations.services import event_store
from conversations.services.closing import SYSTEM, closing

BATCH = 500
log = logging.getLogger(__name__)

Position = tuple[datetime, UUID]


def sweep_expired() -> int:
    """Closes every conversation whose time is over, each at most once; says how many.

    Walks forward by position, so one that cannot be closed is met once and two sweeps at once share the work.
    """
    expired, position, now = 0, None, timezone.now()
    while batch := due_after(position, now=now):
        expired += expire_batch([relationship_id for _, relationship_id in batch])
        position = batch[-1]
    return expired


def due_after(position: Position | None, *, now: datetime) -> list[Position]:
    """The next due conversations, longest due first."""
    due = due_at(now)
    if position is not None:
        moment, last = position
        due = due.filter(expires_at__gte=moment).filter(Q(expires_at__gt=moment) | Q(id__gt=last))
    return list(due.order_by("expires_at", "id").values_list("expires_at", "id")[:BATCH])


def expire_batch(relationship_ids: Sequence[UUID]) -> int:
    """Closes these; when one of them is broken, halves the batch until it stands alone and the others are closed."""
    try:
        return expire_together(relationship_ids)
    except OperationalError:
        raise  # the database is away, which no smaller batch mends
    except Exception:
        if len(relationship_ids) == 1:
            log.exception("sweep_left_one_open", extra={"relationship": str(relationship_ids[0])})
            return 0
    middle = len(relationship_ids) // 2
    return expire_batch(relationship_ids[:middle]) + expire_batch(relationship_ids[middle:])


def expire_together(relationship_ids: Sequence[UUID]) -> int:
    """Looks again under the locks: somebody may have spoken or closed in between."""
    with transaction.atomic():
        now = timezone.now()
        due = locked_due(relationship_ids, now=now)
        chains = chains_of([relationship.pk for relationship in due])
        event_store.append_each(
            [
                (one, closing(one, chains[one.pk], closure_type=ClosureType.EXPIRED, actor=SYSTEM, now=now))
                for one in due
            ],
            now=now,
        )
    return len(due)
