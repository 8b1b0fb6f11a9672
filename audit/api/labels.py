"""`/relationships/{id}/loop-labels`: what people say of a finding, or of a loop nobody found."""

from typing import Annotated, Any
from uuid import UUID

from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from pydantic import BeforeValidator
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from audit.models import LoopLabel
from audit.services.labels import label_conversation
from conversations.api import roles
from conversations.api.schemas import Body, Text
from conversations.domain.times import to_text
from conversations.models import ApiKey


def uuid_of(value: object) -> object:
    """JSON has no UUIDs, so strict mode must be told."""
    return UUID(value) if isinstance(value, str) else value


class LabelBody(Body):
    is_loop: bool
    finding_id: Annotated[UUID, BeforeValidator(uuid_of)] | None = None
    note: Text = ""


class LabelsView(APIView):
    roles = {"POST": roles.ROUTERS | roles.OPERATORS}

    @extend_schema(request=LabelBody, responses={201: OpenApiTypes.OBJECT})
    def post(self, request: Request, relationship_id: UUID) -> Response:
        body = LabelBody.model_validate(request.data)
        label = label_conversation(
            relationship_id=relationship_id,
            is_loop=body.is_loop,
            finding_id=body.finding_id,
            note=body.note,
            reviewer=reviewer_of(request.auth),
            now=timezone.now(),
        )
        return Response(label_json(label), status=201)


def reviewer_of(caller: ApiKey) -> str:
    """The person behind the key, else the key's own name."""
    return caller.user.get_username() if caller.user else caller.name


def label_json(label: LoopLabel) -> dict[str, Any]:
    return {
        "id": label.pk,
        "relationship": str(label.relationship_id),
        "finding_id": label.finding_id and str(label.finding_id),
        "is_loop": label.is_loop,
        "note": label.note,
        "reviewer": label.reviewer,
        "created_at": to_text(label.created_at),
    }
