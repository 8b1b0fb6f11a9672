"""`/handoffs`: the queue, and the acts of whoever takes a conversation over."""

from collections.abc import Callable
from typing import Any, ClassVar
from uuid import UUID

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from conversations.access import operator_of
from conversations.api import answers, roles, schemas
from conversations.api.pagination import PAGING, page_of
from conversations.domain.errors import InvalidTermsError
from conversations.domain.handoff import HandoffStatus
from conversations.selectors.handoffs import handoff_by, handoff_json, handoffs
from conversations.services import handoff as service


class HandoffsView(APIView):
    roles = {"GET": roles.READERS}

    @extend_schema(parameters=[*PAGING, OpenApiParameter("status", str)], responses=answers.HandoffPage)
    def get(self, request: Request) -> Response:
        rows = handoffs()
        if status := request.query_params.get("status"):
            if status not in list(HandoffStatus):
                raise InvalidTermsError(field="status", code="unknown_value", message="No such status.")
            rows = rows.filter(status=status)
        return Response(page_of(rows, request, order=("requested_at", "id"), as_json=handoff_json))


class HandoffView(APIView):
    roles = {"GET": roles.READERS}

    @extend_schema(responses=answers.HandoffAnswer)
    def get(self, request: Request, handoff_id: UUID) -> Response:
        return Response(handoff_json(handoff_by(handoff_id)))


class RequestView(APIView):
    roles = {"POST": roles.ROUTERS | roles.OPERATORS}

    @extend_schema(request=schemas.ReasonBody, responses={201: answers.HandoffAnswer})
    def post(self, request: Request, relationship_id: UUID) -> Response:
        body = schemas.ReasonBody.model_validate(request.data)
        made = service.request_handoff(relationship_id=relationship_id, reason=body.reason, caller=request.auth)
        return Response(handoff_json(made), status=201)


class TakeoverView(APIView):
    roles = {"POST": roles.OPERATORS}

    @extend_schema(request=schemas.ReasonBody, responses={201: answers.HandoffAnswer})
    def post(self, request: Request, relationship_id: UUID) -> Response:
        body = schemas.ReasonBody.model_validate(request.data)
        taken = service.take_over(
            relationship_id=relationship_id, reason=body.reason, operator=operator_of(request.auth)
        )
        return Response(handoff_json(taken), status=201)


class ActView(APIView):
    """One act: its body, and the service that carries it out. Subclasses name both."""

    roles = {"POST": roles.OPERATORS}
    body: ClassVar[type[schemas.Body]] = schemas.NothingBody
    act: ClassVar[Callable[..., Any]]

    def post(self, request: Request, handoff_id: UUID) -> Response:
        told = self.body.model_validate(request.data).model_dump()
        done = type(self).act(handoff_id=handoff_id, operator=operator_of(request.auth), **told)
        return Response(handoff_json(done))


def act_view(name: str, act: Callable[..., Any], body: type[schemas.Body] = schemas.NothingBody) -> type[ActView]:
    """The view of one act."""
    view = type(name, (ActView,), {"body": body, "act": staticmethod(act)})
    return extend_schema(request=body, responses=answers.HandoffAnswer)(view)


ClaimView = act_view("ClaimView", service.claim, schemas.ClaimBody)
ReleaseView = act_view("ReleaseView", service.release)
TransferView = act_view("TransferView", service.transfer, schemas.TransferBody)
AcceptView = act_view("AcceptView", service.accept)
DeclineView = act_view("DeclineView", service.decline)
ReplyView = act_view("ReplyView", service.reply, schemas.SayBody)
NoteView = act_view("NoteView", service.note, schemas.SayBody)


class ReturnView(APIView):
    roles = {"POST": roles.OPERATORS}

    @extend_schema(request=schemas.ReturnBody, responses=answers.HandoffAnswer)
    def post(self, request: Request, handoff_id: UUID) -> Response:
        body = schemas.ReturnBody.model_validate(request.data)
        given = service.GivenBack(note=body.note, facts=body.facts, skip=tuple(body.skip), grant=body.grant)
        done, decided = service.give_back(handoff_id=handoff_id, given=given, operator=operator_of(request.auth))
        return Response({**handoff_json(done), "turn": decided or None})


class ResolveView(APIView):
    roles = {"POST": roles.OPERATORS}

    @extend_schema(request=schemas.CloseBody, responses=answers.HandoffAnswer)
    def post(self, request: Request, handoff_id: UUID) -> Response:
        body = schemas.CloseBody.model_validate(request.data)
        done, closure = service.resolve(
            handoff_id=handoff_id,
            closure_type=body.closure_type,
            summary=body.summary,
            operator=operator_of(request.auth),
        )
        return Response({**handoff_json(done), "closure_event": closure})
