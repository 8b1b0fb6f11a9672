"""When an operator last wrote in a conversation, sent or not: who is writing a long answer is not idle.

Kept in the cache and not in the chain: it is no act. Where the cache was emptied the conversation goes back to the
queue a little early, with what was written kept in the page.
"""

from datetime import datetime
from uuid import UUID, uuid5

from django.core.cache import cache
from django.utils import timezone

KEEP_SECONDS = 24 * 3600


def key_of(relationship_id: UUID, operator: str) -> str:
    # a name may hold what a key may not, and be longer
    return f"writing:{uuid5(relationship_id, operator)}"


def mark_writing(relationship_id: UUID, operator: str) -> None:
    cache.set(key_of(relationship_id, operator), timezone.now(), timeout=KEEP_SECONDS)


def wrote_since(relationship_id: UUID, operator: str | None, moment: datetime) -> bool:
    written_at = cache.get(key_of(relationship_id, operator or ""))
    return written_at is not None and written_at >= moment
