from django.urls import path

from audit.views.accuracy import AccuracyView
from audit.views.labelling import LabellingView, LabelView

urlpatterns = [
    path("accuracy", AccuracyView.as_view(), name="accuracy"),
    path("labelling", LabellingView.as_view(), name="labelling"),
    path("conversations/<uuid:relationship_id>/label", LabelView.as_view(), name="label"),
]
