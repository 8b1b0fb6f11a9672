from django.urls import path

from flows.views import drafting, versions
from flows.views.editor import EditorView
from flows.views.listing import FlowsView

urlpatterns = [
    path("flows", FlowsView.as_view(), name="flows"),
    path("flows/<slug:slug>", EditorView.as_view(), name="flow"),
    path("flows/<slug:slug>/check", drafting.CheckView.as_view(), name="flow-check"),
    path("flows/<slug:slug>/draft", drafting.SaveView.as_view(), name="flow-draft"),
    path("flows/<slug:slug>/try", drafting.TryView.as_view(), name="flow-try"),
    path("flows/<slug:slug>/scripts", drafting.ScriptsView.as_view(), name="flow-scripts"),
    path("flows/<slug:slug>/explore", drafting.ExploreView.as_view(), name="flow-explore"),
    path("flows/<slug:slug>/explore/<uuid:job_id>", drafting.ExploreJobView.as_view(), name="flow-explore-job"),
    path("flows/<slug:slug>/versions", versions.VersionsView.as_view(), name="flow-versions"),
    path("flows/<slug:slug>/versions/<int:version>", versions.VersionsView.as_view(), name="flow-version"),
    path("flows/<slug:slug>/publish", versions.PublishView.as_view(), name="flow-publish"),
    path("flows/<slug:slug>/rollback", versions.RollbackView.as_view(), name="flow-rollback"),
    path("flows/<slug:slug>/diff", versions.DiffView.as_view(), name="flow-diff"),
]
