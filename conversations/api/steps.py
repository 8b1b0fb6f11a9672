"""`/relationships/{id}/steps`: an agent reports a step and learns whether to go on."""

from typing import Annotated, Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from pydantic import StringConstraints
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from conversations.api import roles
from conversations.api.driver_answers import StepAnswer
from conversations.api.representations import replayed
from conversations.api.schemas import Body, Text
from conversations.services.steps import take_step


class StepBody(Body):
    step_id: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    operation: Annotated[str, StringConstraints(min_length=1, max_length=200)]
    parameters: Any = None
    response: Any = None
    finish_reason: Annotated[str, StringConstraints(max_length=100)] | None = None
    error: str | bool | None = None
    original_request: Text | None = None


class StepsView(APIView):
    roles = {"POST": roles.ROUTERS}

    @extend_schema(request=StepBody, responses=StepAnswer)
    def post(self, request: Request, relationship_id: UUID) -> Response:
        body = StepBody.model_validate(request.data)
        answer = take_step(relationship_id=relationship_id, caller=request.auth, **body.model_dump())
        return Response(answer, headers=replayed(answer["duplicate"]))
