"""`/relationships/{id}/turns` and what belongs to it."""

import json
from uuid import UUID

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from conversations.access import operator_of
from conversations.api import roles, schemas
from conversations.api.driver_answers import TurnAnswer
from conversations.api.representations import replayed
from conversations.selectors.flow_runs import runtime_of
from conversations.selectors.relationships import relationship_for
from conversations.services.idempotency import digest
from conversations.services.turns import migrate, set_facts, take_turn


class TurnsView(APIView):
    roles = {"POST": roles.ROUTERS}

    @extend_schema(request=schemas.TurnBody, responses=TurnAnswer)
    def post(self, request: Request, relationship_id: UUID) -> Response:
        body = schemas.TurnBody.model_validate(request.data)
        content = body.model_dump(exclude={"message_id"}, exclude_unset=True)
        answer = take_turn(
            relationship_id=relationship_id,
            message_id=body.message_id,
            content=content,
            caller=request.auth,
            fingerprint=digest(json.dumps(request.data, sort_keys=True)),
        )
        return Response(answer, headers=replayed(answer["duplicate"]))


class RuntimeView(APIView):
    roles = {"GET": roles.READERS}

    @extend_schema(responses=OpenApiTypes.OBJECT)
    def get(self, request: Request, relationship_id: UUID) -> Response:
        return Response(runtime_of(relationship_for(request.auth, relationship_id)).to_json())


class FactsView(APIView):
    roles = {"POST": roles.OPERATORS}

    @extend_schema(request=schemas.FactsBody, responses=OpenApiTypes.OBJECT)
    def post(self, request: Request, relationship_id: UUID) -> Response:
        body = schemas.FactsBody.model_validate(request.data)
        changed = set_facts(
            relationship_id=relationship_id,
            set_=body.set,
            remove=tuple(body.remove),
            operator=operator_of(request.auth),
        )
        return Response(changed)


class MigrateView(APIView):
    roles = {"POST": roles.ROUTERS | roles.OPERATORS}

    @extend_schema(request=schemas.MigrateBody, responses=OpenApiTypes.OBJECT)
    def post(self, request: Request, relationship_id: UUID) -> Response:
        body = schemas.MigrateBody.model_validate(request.data)
        plan = migrate(
            relationship_id=relationship_id,
            version=body.version,
            mapping=body.mapping,
            dry_run=body.dry_run,
            caller=request.auth,
        )
        return Response(plan)
