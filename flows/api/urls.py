from django.urls import path

from flows.api import flows

urlpatterns = [
    path("flows", flows.FlowsView.as_view()),
    path("flows/validate", flows.ValidateView.as_view()),
    path("flows/simulate", flows.SimulateView.as_view()),
    path("flows/<str:slug>", flows.FlowView.as_view()),
    path("flows/<str:slug>/draft", flows.DraftView.as_view()),
    path("flows/<str:slug>/validate", flows.ValidateDraftView.as_view()),
    path("flows/<str:slug>/publish", flows.PublishView.as_view()),
    path("flows/<str:slug>/rollback", flows.RollbackView.as_view()),
    path("flows/<str:slug>/versions", flows.VersionsView.as_view()),
    path("flows/<str:slug>/versions/<int:version>", flows.VersionView.as_view()),
    path("flows/<str:slug>/diff", flows.DiffView.as_view()),
    path("flows/<str:slug>/explore", flows.ExploreView.as_view()),
    path("flows/<str:slug>/explore/<uuid:job_id>", flows.ExploreJobView.as_view()),
]
