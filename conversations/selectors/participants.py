"""Who has ever spoken, and how much."""

from django.core.paginator import Page, Paginator
from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from conversations.domain.relationship import ConversationState
from conversations.models import Participant, Relationship

PAGE = 50


def participants_page(*, q: str, page: str) -> Page[Participant]:
    """One page of participants, newest first, each with its conversations: counted for those shown alone."""
    found = Participant.objects.order_by("-created_at", "id")
    if q:
        found = found.filter(Q(handle__icontains=q) | Q(display_name__icontains=q))
    active = Q(conversation_state=ConversationState.ACTIVE)
    return Paginator(found.annotate(conversations=counted(Q()), active=counted(active)), PAGE).get_page(page)


def counted(which: Q) -> Coalesce:
    """On either side: two counts over the indexed columns, since one OR would read every conversation."""
    return Coalesce(Subquery(side("initiator", which)), 0) + Coalesce(Subquery(side("responder", which)), 0)


def side(name: str, which: Q) -> QuerySet[Relationship]:
    rows = Relationship.objects.filter(which, **{name: OuterRef("pk")}).order_by().values(name)
    return rows.annotate(number=Count("pk")).values("number")
