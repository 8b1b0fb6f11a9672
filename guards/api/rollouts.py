"""`/guards/rollouts`: features given to a share of conversations, and taken back."""

from typing import Annotated, Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from pydantic import BaseModel, ConfigDict, Field, StringConstraints
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from guards.errors import GuardError
from guards.models import Rollout
from guards.selectors.rollout import Feature, rollouts
from guards.services.rollout import roll_out


class UnknownFeatureError(GuardError):
    code = "not_found"
    status = 404
    title = "There is no such feature"


class RolloutBody(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    share: Annotated[int, Field(ge=0, le=100)]
    settings: dict[str, Any] = {}
    note: Annotated[str, StringConstraints(max_length=500)] = ""


class RolloutsView(APIView):
    roles = {"GET": frozenset({"router", "operator", "auditor", "editor"})}

    @extend_schema(responses=OpenApiTypes.OBJECT)
    def get(self, request: Request) -> Response:
        return Response({"results": [rollout_json(line) for line in rollouts().values()]})


class RolloutView(APIView):
    roles = {"PUT": frozenset({"editor"})}

    @extend_schema(request=RolloutBody, responses=OpenApiTypes.OBJECT)
    def put(self, request: Request, feature: str) -> Response:
        if feature not in list(Feature):
            raise UnknownFeatureError(f"Features are {', '.join(Feature)}.")
        body = RolloutBody.model_validate(request.data)
        line = roll_out(
            feature=Feature(feature),
            share=body.share,
            settings=body.settings,
            author=request.auth.name,
            note=body.note,
        )
        return Response(rollout_json(line))


def rollout_json(line: Rollout) -> dict[str, Any]:
    return {
        "feature": line.feature,
        "share": line.share,
        "settings": line.settings,
        "number": line.number,
        "author": line.author,
        "note": line.note,
    }
