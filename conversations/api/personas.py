"""`/personas`: who answers in threads."""

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from conversations.api import answers, roles, schemas
from conversations.api.pagination import PAGING, page_of
from conversations.domain.times import to_text
from conversations.models import Persona
from conversations.services.personas import create_persona


class PersonasView(APIView):
    roles = {"GET": roles.READERS, "POST": roles.ROUTERS}

    @extend_schema(parameters=PAGING, responses=answers.PersonaPage)
    def get(self, request: Request) -> Response:
        rows = Persona.objects.all()
        return Response(page_of(rows, request, order=("created_at", "id"), as_json=persona_json))

    @extend_schema(request=schemas.PersonaBody, responses={201: answers.PersonaAnswer, 409: answers.Problem})
    def post(self, request: Request) -> Response:
        body = schemas.PersonaBody.model_validate(request.data)
        made = create_persona(handle=body.handle, name=body.name, responder=body.responder)
        return Response(persona_json(made), status=201)


def persona_json(persona: Persona) -> dict[str, Any]:
    """A persona; its responder's secret is kept apart and never read back."""
    return {
        "handle": persona.handle,
        "name": persona.name,
        "responder": persona.responder,
        "created_at": to_text(persona.created_at),
    }
