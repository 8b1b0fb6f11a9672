"""`/flows`: drafts, checks, versions."""

from typing import Any
from uuid import UUID

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from flows.api import schemas
from flows.api.paging import PAGING, page_of
from flows.api.representations import exploration_json, flow_json, simulation_json, version_json
from flows.engine.diff import diff
from flows.engine.validation import validate
from flows.engine.wording import sentence
from flows.errors import FlowInvalidError
from flows.models import Flow
from flows.selectors.flows import flow_by, newest_version, version_by, versions_of
from flows.services.drafts import create_flow, save_draft
from flows.services.exploration import exploration_by, start_exploration
from flows.services.publishing import publish, rollback
from flows.services.simulation import lines_of, simulated

READ = frozenset({"router", "operator", "auditor", "editor"})
EDIT = frozenset({"editor"})
ANY = OpenApiTypes.OBJECT


class FlowsView(APIView):
    roles = {"GET": READ, "POST": EDIT}

    @extend_schema(parameters=PAGING, responses=ANY)
    def get(self, request: Request) -> Response:
        return Response(page_of(Flow.objects.all(), request, order="slug", as_json=flow_json))

    @extend_schema(request=schemas.FlowBody, responses={201: ANY})
    def post(self, request: Request) -> Response:
        body = schemas.FlowBody.model_validate(request.data)
        flow = create_flow(
            slug=body.slug, name=body.name or body.slug, definition=body.definition, author=request.auth.name
        )
        return Response(flow_json(flow), status=201)


class FlowView(APIView):
    roles = {"GET": READ}

    @extend_schema(responses=ANY)
    def get(self, request: Request, slug: str) -> Response:
        return Response(flow_json(flow_by(slug)))


class DraftView(APIView):
    roles = {"PUT": EDIT}

    @extend_schema(request=ANY, responses=ANY)
    def put(self, request: Request, slug: str) -> Response:
        flow = save_draft(
            slug=slug, definition=document_in(request), author=request.auth.name, read_revision=revision_in(request)
        )
        return Response(flow_json(flow))


def revision_in(request: Request) -> int | None:
    """The revision the caller read, from `If-Match`; nobody need send it, and what is no number matches nothing."""
    told = request.headers.get("If-Match", "*").strip('"')
    return None if told == "*" else whole_number(told)


def document_in(request: Request) -> dict[str, Any]:
    """The definition itself is the body; anything but an object is no draft of anything."""
    if not isinstance(request.data, dict):
        raise FlowInvalidError(sentence("A definition is a JSON object."), validate(request.data).findings)
    return request.data


class ValidateView(APIView):
    roles = {"POST": EDIT}

    @extend_schema(request=schemas.ValidateBody, responses=ANY)
    def post(self, request: Request) -> Response:
        return Response(validate(schemas.ValidateBody.model_validate(request.data).definition).to_json())


class ValidateDraftView(APIView):
    roles = {"POST": EDIT}

    @extend_schema(request=None, responses=ANY)
    def post(self, request: Request, slug: str) -> Response:
        return Response(validate(flow_by(slug).draft).to_json())


class PublishView(APIView):
    roles = {"POST": EDIT}

    @extend_schema(request=schemas.PublishBody, responses={201: ANY})
    def post(self, request: Request, slug: str) -> Response:
        body = schemas.PublishBody.model_validate(request.data)
        return Response(version_json(publish(slug=slug, author=request.auth.name, note=body.note)), status=201)


class RollbackView(APIView):
    roles = {"POST": EDIT}

    @extend_schema(request=schemas.RollbackBody, responses={201: ANY})
    def post(self, request: Request, slug: str) -> Response:
        body = schemas.RollbackBody.model_validate(request.data)
        made = rollback(slug=slug, version=body.version, author=request.auth.name)
        return Response(version_json(made), status=201)


class VersionsView(APIView):
    roles = {"GET": READ}

    @extend_schema(parameters=PAGING, responses=ANY)
    def get(self, request: Request, slug: str) -> Response:
        return Response(page_of(versions_of(flow_by(slug)), request, order="-version", as_json=version_json))


class VersionView(APIView):
    roles = {"GET": READ}

    @extend_schema(responses=ANY)
    def get(self, request: Request, slug: str, version: int) -> Response:
        found = version_by(slug, version)
        return Response({**version_json(found), "definition": found.definition})


class DiffView(APIView):
    roles = {"GET": READ}

    @extend_schema(parameters=[OpenApiParameter("from", int), OpenApiParameter("to", int)], responses=ANY)
    def get(self, request: Request, slug: str) -> Response:
        flow_by(slug)
        old, new = (version_by(slug, number_in(request, name)) for name in ("from", "to"))
        return Response(diff(old.definition, new.definition).to_json())


def number_in(request: Request, name: str) -> int:
    """A version number out of the query; whatever is no number names no version."""
    return whole_number(request.query_params.get(name, ""))


def whole_number(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0


class SimulateView(APIView):
    roles = {"POST": EDIT}

    @extend_schema(request=schemas.SimulateBody, responses=ANY)
    def post(self, request: Request) -> Response:
        body = schemas.SimulateBody.model_validate(request.data)
        definition = body.definition if body.definition is not None else pinned(str(body.slug), body.version)
        script = lines_of(line.model_dump() for line in body.script)
        played = simulated(definition, script)
        return Response({**simulation_json(played), "findings": validate(definition).to_json()["findings"]})


def pinned(slug: str, version: int | None) -> dict[str, Any]:
    found = newest_version(slug) if version is None else version_by(slug, version)
    definition: dict[str, Any] = found.definition
    return definition


class ExploreView(APIView):
    roles = {"POST": EDIT}

    @extend_schema(request=None, responses={202: ANY})
    def post(self, request: Request, slug: str) -> Response:
        return Response({"job": str(start_exploration(slug=slug).pk)}, status=202)


class ExploreJobView(APIView):
    roles = {"GET": READ}

    @extend_schema(responses=ANY)
    def get(self, request: Request, slug: str, job_id: UUID) -> Response:
        return Response(exploration_json(exploration_by(slug, job_id)))
