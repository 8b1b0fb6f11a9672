"""`/ws-ticket`: a key's way into the websockets."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from conversations.api import answers, schemas
from conversations.models import Role
from conversations.services import ws_tickets


class WsTicketView(APIView):
    roles = {"POST": frozenset(Role)}

    @extend_schema(request=schemas.NothingBody, responses=answers.TicketAnswer)
    def post(self, request: Request) -> Response:
        schemas.NothingBody.model_validate(request.data)
        return Response({"ticket": ws_tickets.issue_ticket(request.auth), "expires_in": ws_tickets.SECONDS})
