"""`/deliveries`: every webhook received, what was made of it, and why."""

from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from conversations.api import channel_schemas as schemas
from conversations.api import roles
from conversations.api.channel_representations import delivery_json
from conversations.api.pagination import PAGING, page_of
from conversations.api.schemas import NothingBody
from conversations.domain.errors import InvalidTermsError
from conversations.selectors.channels import deliveries
from conversations.services.deliveries import replay


class DeliveriesView(APIView):
    roles = {"GET": roles.READERS}

    @extend_schema(parameters=[*PAGING, OpenApiParameter("channel", UUID)], responses=schemas.DeliveryPage)
    def get(self, request: Request) -> Response:
        rows = deliveries()
        if channel := request.query_params.get("channel"):
            rows = rows.filter(channel_id=channel_id_of(channel))
        return Response(page_of(rows, request, order=("received_at", "id"), as_json=delivery_json))


class ReplayView(APIView):
    roles = {"POST": roles.ROUTERS | roles.OPERATORS}

    @extend_schema(request=NothingBody, responses=schemas.DeliveryAnswer)
    def post(self, request: Request, delivery_id: UUID) -> Response:
        NothingBody.model_validate(request.data)
        return Response(delivery_json(replay(delivery_id=delivery_id)))


def channel_id_of(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise InvalidTermsError(field="channel", code="wrong_format", message="A channel's id.") from None
