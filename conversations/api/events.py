"""`/relationships/{id}/events`: the chain, readable."""

from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from conversations.access import shown_to
from conversations.api import answers, roles
from conversations.api.pagination import limit_of
from conversations.domain.errors import InvalidTermsError
from conversations.models import AccessLog
from conversations.selectors.events import chain_of
from conversations.selectors.relationships import relationship_for
from conversations.services.access_log import record_read


class EventsView(APIView):
    roles = {"GET": roles.READERS_AND_PARTIES}

    @extend_schema(
        parameters=[OpenApiParameter("after_seq", int), OpenApiParameter("limit", int)], responses=answers.EventPage
    )
    def get(self, request: Request, relationship_id: UUID) -> Response:
        relationship = relationship_for(request.auth, relationship_id)
        limit = limit_of(request)
        record_read(request.auth, what=AccessLog.What.CONVERSATION, relationship=relationship)
        events = chain_of(relationship, after_seq=after_seq_of(request), limit=limit + 1)
        more = len(events) > limit
        return Response(
            {
                "results": [event.as_json() for event in shown_to(request.auth, events[:limit])],
                "head": {"seq": relationship.head_seq, "hash": relationship.head_hash},
                "next": str(events[limit - 1].seq) if more else None,
            }
        )


def after_seq_of(request: Request) -> int:
    """`after_seq`, or the cursor a page gave: they are the same number."""
    text = request.query_params.get("cursor") or request.query_params.get("after_seq") or "0"
    if not (text.isascii() and text.isdigit()) or len(text) > 9:
        raise InvalidTermsError(field="after_seq", code="wrong_type", message="A sequence number.")
    return int(text)
