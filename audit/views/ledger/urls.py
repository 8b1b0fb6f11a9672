from django.urls import path

from audit.views.ledger.erasing import EraseView, RetentionView
from audit.views.ledger.exports import ExportLineageView, ExportOneView, ExportView
from audit.views.ledger.proofs import (
    CheckpointsView,
    VerificationNewsView,
    VerificationView,
    VerifierFileView,
    VerifierView,
    VerifyView,
)
from audit.views.ledger.search import AuditSearchView
from audit.views.ledger.trails import LineageView, PeopleView, PersonView, TrailView

ONE = "audit/conversations/<uuid:relationship_id>"

urlpatterns = [
    path("audit", AuditSearchView.as_view(), name="audit"),
    path("audit/people", PeopleView.as_view(), name="audit_people"),
    path("audit/people/<slug:kind>/<str:id>", PersonView.as_view(), name="audit_person"),
    path(ONE, TrailView.as_view(), name="audit_trail"),
    path(f"{ONE}/lineage", LineageView.as_view(), name="audit_lineage"),
    path(f"{ONE}/verify", VerifyView.as_view(), name="audit_verify"),
    path(f"{ONE}/export", ExportOneView.as_view(), name="audit_export"),
    path(f"{ONE}/export-lineage", ExportLineageView.as_view(), name="audit_export_lineage"),
    path(f"{ONE}/erase", EraseView.as_view(), name="audit_erase"),
    path("audit/verification", VerificationView.as_view(), name="audit_verification"),
    path("audit/verification/news", VerificationNewsView.as_view(), name="audit_verification_news"),
    path("audit/checkpoints", CheckpointsView.as_view(), name="audit_checkpoints"),
    path("audit/export", ExportView.as_view(), name="audit_period"),
    path("audit/retention", RetentionView.as_view(), name="audit_retention"),
    path("audit/verifier", VerifierView.as_view(), name="audit_verifier"),
    path("audit/verifier.html", VerifierFileView.as_view(), name="audit_verifier_file"),
]
