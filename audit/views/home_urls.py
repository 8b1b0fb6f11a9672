from django.urls import path

from audit.views.bulk_label import BulkLabelView
from audit.views.home import HomeNowView, HomeView

urlpatterns = [
    path("", HomeView.as_view(), name="home"),
    path("now", HomeNowView.as_view(), name="home_now"),
    path("live/label", BulkLabelView.as_view(), name="live_label"),
]
