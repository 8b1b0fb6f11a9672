"""`/audit` and the audit of one relationship: verify, export, checkpoints."""

from typing import Any
from uuid import UUID

from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from audit.api import answers
from audit.models import Checkpoint
from audit.services.export import export_bundle
from audit.services.verification import verify
from conversations.api import roles
from conversations.api.pagination import page_of
from conversations.domain.times import to_text
from conversations.models import AccessLog
from conversations.selectors.relationships import relationship_for
from conversations.services.access_log import record_read

NOT_CHECKED = "not_checked"


class VerifyRelationshipView(APIView):
    roles = {"GET": roles.READERS}

    @extend_schema(responses=answers.ChainVerdict)
    def get(self, request: Request, relationship_id: UUID) -> Response:
        """Holds one conversation against its chain, the log and the signed checkpoints."""
        relationship = relationship_for(request.auth, relationship_id)
        record_read(request.auth, what=AccessLog.What.VERIFICATION, relationship=relationship)
        report = verify(relationship=relationship.pk)
        return Response(
            {
                "ok": report.ok,
                "events": report.events,
                "head": {"seq": report.head_seq, "hash": report.head_hash},
                "first_bad_seq": report.first.seq if report.first else None,
                "reason": report.first.reason if report.first else (NOT_CHECKED if report.unchecked else None),
            }
        )


class ExportView(APIView):
    roles = {"GET": roles.READERS}

    @extend_schema(responses={(200, "application/zip"): OpenApiTypes.BINARY})
    def get(self, request: Request, relationship_id: UUID) -> HttpResponse:
        """A signed bundle that `client/verify_bundle.py` checks offline."""
        relationship = relationship_for(request.auth, relationship_id)
        record_read(request.auth, what=AccessLog.What.EXPORT, relationship=relationship)
        return HttpResponse(
            export_bundle(relationship, now=timezone.now()),
            content_type="application/zip",
            headers={"Content-Disposition": f'attachment; filename="lastword-{relationship.pk}.zip"'},
        )


class CheckpointsView(APIView):
    roles = {"GET": roles.OVERSEERS}

    @extend_schema(
        parameters=[OpenApiParameter("limit", int), OpenApiParameter("cursor", str)],
        responses=answers.CheckpointPage,
    )
    def get(self, request: Request) -> Response:
        """The signed roots of the log, newest first."""
        return Response(page_of(Checkpoint.objects.all(), request, order=("created_at", "id"), as_json=checkpoint_json))


class VerifyLedgerView(APIView):
    roles = {"GET": roles.OVERSEERS}

    @extend_schema(responses=answers.LedgerVerdict)
    def get(self, request: Request) -> Response:
        """Verifies everything; on a large ledger rather run `manage.py audit_verify`."""
        report = verify()
        return Response(
            {
                "ok": report.ok,
                "relationships": report.relationships,
                "events": report.events,
                "leaves": report.leaves,
                "checkpoints": report.checkpoints,
                "first_bad": report.first.as_json() if report.first else None,
                "unchecked": report.unchecked,
            }
        )


def checkpoint_json(checkpoint: Checkpoint) -> dict[str, Any]:
    return {
        "size": checkpoint.size,
        "root": checkpoint.root,
        "note": checkpoint.note,
        "key_id": checkpoint.key_id,
        "created_at": to_text(checkpoint.created_at),
    }
