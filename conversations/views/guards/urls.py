from django.urls import path

from conversations.views.guards.activity import ActivityView
from conversations.views.guards.history import HistoryView
from conversations.views.guards.policy import PolicyView
from conversations.views.guards.rollout import RolloutView

urlpatterns = [
    path("guards", PolicyView.as_view(), name="guards"),
    path("guards/history", HistoryView.as_view(), name="guards_history"),
    path("guards/activity", ActivityView.as_view(), name="guards_activity"),
    path("guards/rollout", RolloutView.as_view(), name="guards_rollout"),
]
