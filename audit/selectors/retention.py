"""What the retention says, and whose words are due to go."""

from datetime import datetime, timedelta

from django.db.models import Exists, OuterRef, Q, QuerySet

from audit.models import RetentionPolicy, RetentionRun
from conversations.domain.events import ERASED, RATED
from conversations.models import Event, Relationship


def retention_in_force() -> RetentionPolicy | None:
    """The newest version; none before the first was made."""
    return RetentionPolicy.objects.first()


def cutoff_of(policy: RetentionPolicy | None, *, now: datetime) -> datetime | None:
    """Conversations that ended up to this moment lose their words; none where words are kept."""
    return None if policy is None or policy.days is None else now - timedelta(days=policy.days)


def with_words(ended: QuerySet[Relationship]) -> QuerySet[Relationship]:
    """Those that still have a payload besides the marks of earlier erasures."""
    words = Event.objects.filter(relationship=OuterRef("pk"), payload__isnull=False).exclude(type=ERASED)
    return ended.filter(Exists(words))


def due_conversations(*, cutoff: datetime) -> QuerySet[Relationship]:
    """Ended by the cutoff and not yet passed by a finished run; a rating may come later than the run that passed."""
    ended = Relationship.objects.filter(closed_at__lte=cutoff)
    passed = RetentionRun.objects.filter(finished_at__isnull=False).order_by("-cutoff").first()
    if passed is not None:
        rated = Event.objects.filter(type=RATED, at__gte=passed.started_at).values("relationship")
        ended = ended.filter(Q(closed_at__gt=passed.cutoff) | Q(pk__in=rated))
    return with_words(ended).order_by("closed_at", "id")
