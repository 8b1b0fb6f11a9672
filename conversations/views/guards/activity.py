"""What each guard refused, how often, for whom."""

from datetime import timedelta

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views import View

from conversations.access import EVERYBODY
from conversations.selectors.guard_activity import activity, recent_refusals
from conversations.views.acting import whole_number
from conversations.views.guards.policy import DEFAULT_SPAN, SPANS
from guards.policy_words import GUARDS


class ActivityView(View):
    roles = {"GET": EVERYBODY}

    def get(self, request: HttpRequest) -> HttpResponse:
        asked = whole_number(request.GET.get("days", ""), DEFAULT_SPAN)
        days = asked if asked in SPANS else DEFAULT_SPAN
        guard = request.GET.get("guard", "")
        guard = guard if guard in GUARDS else ""
        since = timezone.now() - timedelta(days=days)
        seen = activity(since=since.date())
        context = {
            "title": _("Guards"),
            "here": "activity",
            "days": days,
            "spans": SPANS,
            "guard": guard,
            "guard_names": GUARDS,
            "activity": seen,
            "guards": [(name, GUARDS[name], count) for name, count in seen.by_guard.items()],
            "refusals": recent_refusals(since=since, guard=guard),
        }
        return render(request, "console/guards/activity.html", context)
