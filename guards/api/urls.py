from django.urls import path

from guards.api import loops, policy, rollouts

urlpatterns = [
    path("guards/policy", policy.PolicyView.as_view()),
    path("guards/rollouts", rollouts.RolloutsView.as_view()),
    path("guards/rollouts/<slug:feature>", rollouts.RolloutView.as_view()),
    path("loops/analyze", loops.AnalyzeView.as_view()),
]
