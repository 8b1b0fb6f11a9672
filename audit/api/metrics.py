"""`/metrics`: loops, flows and single conversations; as JSON or, with `?format=csv`, as a table."""

from datetime import UTC, datetime
from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from audit.csv_report import csv_response
from audit.selectors.flow_metrics import metrics_of_conversation, metrics_of_flow
from audit.selectors.loop_metrics import GROUPS, loop_metrics
from conversations.api import roles
from conversations.domain.errors import InvalidTermsError
from conversations.models import Role
from conversations.selectors.relationships import relationship_for
from flows.selectors.flows import flow_by

SINCE = OpenApiParameter("since", str)
FORMATS = ("json", "csv")
FORMAT = OpenApiParameter("format", str, enum=list(FORMATS))
REPORT = {(200, "application/json"): OpenApiTypes.OBJECT, (200, "text/csv"): OpenApiTypes.STR}


class LoopMetricsView(APIView):
    roles = {"GET": roles.READERS}

    @extend_schema(parameters=[SINCE, OpenApiParameter("by", str, enum=list(GROUPS)), FORMAT], responses=REPORT)
    def get(self, request: Request) -> HttpResponse:
        by = request.query_params.get("by") or None
        if by is not None and by not in GROUPS:
            raise InvalidTermsError(field="by", code="unknown_value", message=f"One of {', '.join(GROUPS)}.")
        measured = loop_metrics(since=since_of(request), by=by)
        if not wants_csv(request):
            return Response(measured)
        groups = measured.pop("groups", [])
        measured.pop("by", None)
        return csv_response([{"key": "all", **measured}, *groups], name="loop-metrics")


class FlowMetricsView(APIView):
    roles = {"GET": roles.READERS | {Role.EDITOR}}

    @extend_schema(parameters=[SINCE, FORMAT], responses=REPORT)
    def get(self, request: Request, slug: str) -> HttpResponse:
        measured = metrics_of_flow(flow_by(slug).slug, since=since_of(request))
        return csv_response([measured], name=f"flow-{slug}") if wants_csv(request) else Response(measured)


class RelationshipMetricsView(APIView):
    roles = {"GET": roles.READERS}

    @extend_schema(parameters=[FORMAT], responses=REPORT)
    def get(self, request: Request, relationship_id: UUID) -> HttpResponse:
        measured = metrics_of_conversation(relationship_for(request.auth, relationship_id))
        return csv_response([measured], name="conversation") if wants_csv(request) else Response(measured)


def wants_csv(request: Request) -> bool:
    asked = request.query_params.get("format", "json")
    if asked not in FORMATS:
        raise InvalidTermsError(field="format", code="unknown_value", message=f"One of {', '.join(FORMATS)}.")
    return asked == "csv"


def since_of(request: Request) -> datetime | None:
    """A date or a moment; without a zone it is UTC."""
    text = request.query_params.get("since")
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text.replace(" ", "+"))
        # at the ends of the calendar another zone's moment has no UTC of its own
        return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError) as problem:
        raise InvalidTermsError(field="since", code="wrong_format", message="An ISO 8601 date or moment.") from problem
