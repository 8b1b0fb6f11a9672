"""Who changed which number when."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views import View

from conversations.access import EVERYBODY
from guards.policy_words import PARTS, SETTINGS
from guards.selectors.policy import policy_history


class HistoryView(View):
    roles = {"GET": EVERYBODY}

    def get(self, request: HttpRequest) -> HttpResponse:
        history = [
            (
                change.row,
                [
                    (PARTS[name.partition(".")[0]], SETTINGS[name].label, before, after)
                    for name, before, after in change.changes
                ],
            )
            for change in policy_history()
        ]
        context = {"title": _("Guards"), "here": "history", "history": history}
        return render(request, "console/guards/history.html", context)
