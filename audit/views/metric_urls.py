from django.urls import path

from audit.views.flow_overlay import FlowOverlayView
from audit.views.metrics import MetricConversationsView, MetricsView

urlpatterns = [
    path("flow-figures/<slug:slug>", FlowOverlayView.as_view(), name="flow-figures"),
    path("metrics", MetricsView.as_view(), name="metrics"),
    path("metrics/conversations", MetricConversationsView.as_view(), name="metric_conversations"),
]
