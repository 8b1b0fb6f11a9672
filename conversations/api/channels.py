"""`/channels`: where we hear and speak."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from conversations.access import check_administers
from conversations.api import channel_schemas as schemas
from conversations.api import roles
from conversations.api.channel_representations import channel_json
from conversations.api.pagination import PAGING, page_of
from conversations.selectors.channels import channels
from conversations.services.channels import ChannelTerms, create_channel


class ChannelsView(APIView):
    roles = {"GET": roles.READERS, "POST": roles.ROUTERS | roles.OPERATORS}

    @extend_schema(parameters=PAGING, responses=schemas.ChannelPage)
    def get(self, request: Request) -> Response:
        check_administers(request.auth)
        return Response(page_of(channels(), request, order=("created_at", "id"), as_json=channel_json))

    @extend_schema(request=schemas.ChannelBody, responses={201: schemas.ChannelAnswer})
    def post(self, request: Request) -> Response:
        check_administers(request.auth)
        body = schemas.ChannelBody.model_validate(request.data)
        made = create_channel(terms=ChannelTerms(**body.model_dump()))
        return Response(channel_json(made), status=201)
