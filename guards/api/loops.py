"""`POST /loops/analyze`: a recorded run, judged at once; nothing is stored."""

from typing import Annotated, Any, Literal

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from pydantic import BaseModel, ConfigDict, StringConstraints, model_validator
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from guards.loops.review import review_history
from guards.loops.steps import step_from_dict
from guards.selectors.policy import policy_in_force
from guards.services.policy import merged


class StepBody(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    actor: str | None = None
    kind: Literal["message", "tool_call", "tool_result"] = "tool_call"
    operation: str | None = None
    parameters: Any = None
    text: str | None = None
    error: bool | str | None = None

    @model_validator(mode="after")
    def a_call_names_its_operation(self) -> "StepBody":
        if self.kind == "tool_call" and not self.operation:
            raise ValueError("a tool_call needs an operation")
        return self


class AnalyzeBody(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    original_request: Annotated[str, StringConstraints(max_length=10_000)] | None = None
    steps: list[StepBody]
    config: dict[str, Any] | None = None


class AnalyzeView(APIView):
    roles = {"POST": frozenset({"router", "editor", "operator"})}

    @extend_schema(request=AnalyzeBody, responses=OpenApiTypes.OBJECT)
    def post(self, request: Request) -> Response:
        body = AnalyzeBody.model_validate(request.data)
        policy = merged(policy_in_force().document, {"workflow": body.config or {}})
        steps = (step_from_dict(step.model_dump()) for step in body.steps)
        review = review_history(body.original_request or "", steps, policy.workflow)
        return Response({"step_id": None, "duplicate": False, **review.as_dict(), "finding_id": None})
