"""What a party thought of it; may follow the closure."""

from uuid import UUID

from django.db import transaction
from django.utils import timezone

from conversations.domain.events import RATED, Recorded
from conversations.models import ApiKey
from conversations.selectors.relationships import locked
from conversations.services import event_store
from conversations.services.event_store import NewEvent


def rate_conversation(*, relationship_id: UUID, score: int, comment: str, caller: ApiKey) -> Recorded:
    """Records a rating; the newest one counts."""
    with transaction.atomic():
        relationship = locked(relationship_id, caller=caller)
        rating = NewEvent(RATED, caller.actor, {"score": score, "comment": comment})
        return event_store.append(relationship, rating, now=timezone.now())
