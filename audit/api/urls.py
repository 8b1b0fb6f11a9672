from django.urls import path

from audit.api import labels, ledger, metrics

urlpatterns = [
    path("relationships/<uuid:relationship_id>/verify", ledger.VerifyRelationshipView.as_view()),
    path("relationships/<uuid:relationship_id>/export", ledger.ExportView.as_view()),
    path("audit/checkpoints", ledger.CheckpointsView.as_view()),
    path("audit/verify", ledger.VerifyLedgerView.as_view()),
    path("relationships/<uuid:relationship_id>/loop-labels", labels.LabelsView.as_view()),
    path("metrics/loops", metrics.LoopMetricsView.as_view()),
    path("metrics/flows/<slug:slug>", metrics.FlowMetricsView.as_view()),
    path("metrics/relationships/<uuid:relationship_id>", metrics.RelationshipMetricsView.as_view()),
]
