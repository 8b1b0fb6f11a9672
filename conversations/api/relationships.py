"""`/relationships`: opening, reading, speaking, closing, going on."""

from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from conversations.access import sender_of, visible_to
from conversations.api import answers, roles, schemas
from conversations.api.filters import filtered
from conversations.api.pagination import PAGING, page_of
from conversations.api.representations import exchange_json, relationship_json
from conversations.domain.messages import Inbound, Kind
from conversations.selectors.relationships import lineage, relationship_for, relationships, with_followups
from conversations.services.closing import close_conversation
from conversations.services.ingest import ingest
from conversations.services.ratings import rate_conversation
from conversations.services.reengagement import create_followup
from conversations.services.relationships import Terms, create_relationship
from conversations.services.sweeping import sweep_expired

FILTERS = [
    OpenApiParameter(name, str)
    for name in ("state", "driver", "channel", "party", "owner", "closure_type", "flow", "q")
]


class RelationshipsView(APIView):
    roles = {"GET": roles.READERS_AND_PARTIES, "POST": roles.ROUTERS}

    @extend_schema(parameters=PAGING + FILTERS, responses=answers.RelationshipPage)
    def get(self, request: Request) -> Response:
        rows = filtered(visible_to(request.auth, with_followups(relationships())), request)
        return Response(page_of(rows, request, order=("created_at", "id"), as_json=relationship_json))

    @extend_schema(request=schemas.RelationshipBody, responses={201: answers.RelationshipAnswer})
    def post(self, request: Request) -> Response:
        body = schemas.RelationshipBody.model_validate(request.data)
        named = body.model_fields_set  # what is not named is the policy's
        terms = Terms(
            initiator=body.initiator,
            responder=body.responder,
            roles=body.roles,
            context=body.context,
            humotica=body.humotica,
            level=body.level,
            timebox_hours=body.timebox_hours if "timebox_hours" in named else None,
            max_depth=body.max_depth if "max_depth" in named else None,
            appointment=body.appointment.value() if body.appointment else None,
            driver=body.driver,
            flow=body.flow,
        )
        return Response(relationship_json(create_relationship(terms=terms, actor=request.auth.actor)), status=201)


class RelationshipView(APIView):
    roles = {"GET": roles.READERS_AND_PARTIES}

    @extend_schema(responses=answers.RelationshipAnswer)
    def get(self, request: Request, relationship_id: UUID) -> Response:
        return Response(relationship_json(relationship_for(request.auth, relationship_id)))


class IntentsView(APIView):
    roles = {"POST": roles.PARTIES}

    @extend_schema(request=schemas.IntentBody, responses={201: answers.ExchangeAnswer, 409: answers.Problem})
    def post(self, request: Request, relationship_id: UUID) -> Response:
        body = schemas.IntentBody.model_validate(request.data)
        return exchanged(request, relationship_id, Kind.INTENT, body)


class ResponsesView(APIView):
    roles = {"POST": roles.PARTIES}

    @extend_schema(request=schemas.ResponseBody, responses={201: answers.ExchangeAnswer, 409: answers.Problem})
    def post(self, request: Request, relationship_id: UUID) -> Response:
        body = schemas.ResponseBody.model_validate(request.data)
        return exchanged(request, relationship_id, Kind.RESPONSE, body)


def exchanged(
    request: Request, relationship_id: UUID, kind: Kind, body: schemas.IntentBody | schemas.ResponseBody
) -> Response:
    """One message through the pipeline."""
    sender = sender_of(request.auth, body.sender)
    content = body.model_dump(exclude={"sender"}, exclude_none=True)
    return Response(
        exchange_json(ingest(Inbound(kind, relationship_id, sender, content), caller=request.auth)), status=201
    )


class CloseView(APIView):
    roles = {"POST": roles.CLOSERS}

    @extend_schema(request=schemas.CloseBody, responses={200: answers.ClosureAnswer, 409: answers.Problem})
    def post(self, request: Request, relationship_id: UUID) -> Response:
        body = schemas.CloseBody.model_validate(request.data)
        closure = close_conversation(
            relationship_id=relationship_id, closure_type=body.closure_type, summary=body.summary, caller=request.auth
        )
        return Response(closure)


class FollowupsView(APIView):
    roles = {"POST": roles.PARTIES}

    @extend_schema(request=schemas.FollowupBody, responses={201: answers.RelationshipAnswer, 409: answers.Problem})
    def post(self, request: Request, relationship_id: UUID) -> Response:
        body = schemas.FollowupBody.model_validate(request.data)
        followup = create_followup(
            relationship_id=relationship_id,
            appointment=body.appointment.value() if body.appointment else None,
            caller=request.auth,
        )
        return Response(relationship_json(followup), status=201)


class LineageView(APIView):
    roles = {"GET": roles.READERS_AND_PARTIES}

    @extend_schema(responses=answers.Lineage)
    def get(self, request: Request, relationship_id: UUID) -> Response:
        family = lineage(relationship_for(request.auth, relationship_id))
        return Response({"results": [relationship_json(member) for member in family]})


class RatingView(APIView):
    roles = {"POST": roles.PARTIES}

    @extend_schema(request=schemas.RatingBody, responses={201: answers.RatingAnswer})
    def post(self, request: Request, relationship_id: UUID) -> Response:
        body = schemas.RatingBody.model_validate(request.data)
        event = rate_conversation(
            relationship_id=relationship_id, score=body.score, comment=body.comment, caller=request.auth
        )
        return Response({"score": body.score, "comment": body.comment, "event": event.as_json()}, status=201)


class SweepView(APIView):
    roles = {"POST": roles.ROUTERS}

    @extend_schema(request=schemas.NothingBody, responses={200: answers.SweepAnswer})
    def post(self, request: Request) -> Response:
        schemas.NothingBody.model_validate(request.data)
        return Response({"expired": sweep_expired()})
