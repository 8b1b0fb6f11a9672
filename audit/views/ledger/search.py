"""The audit's first page: a search over every event."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views import View

from audit.search.asked import asked
from audit.search.moments import moment_of
from audit.search.question import MAX_DAYS, Question, question_of
from audit.selectors.event_search import found
from audit.selectors.trails import traces_of
from conversations.access import AUDITORS
from conversations.console_words import EVENTS
from conversations.models import AccessLog
from conversations.services.access_log import record_look

UNREADABLE = 422
PROBLEMS = {
    "unknown_filter": gettext_lazy("There is no such filter."),
    "too_long": gettext_lazy("That is too long."),
    "no_moment": gettext_lazy("A date (2026-01-31) or a moment (2026-01-31T09:30) is needed."),
    "backwards": gettext_lazy("The period ends before it begins."),
    "too_long_ago": gettext_lazy("At most %(days)s days at a time: choose a shorter period."),
    "no_type": gettext_lazy("No event has a type like that."),
    "no_words": gettext_lazy("There is no word in it to look for."),
    "no_page": gettext_lazy("There is no such page."),
}


class AuditSearchView(View):
    roles = {"GET": AUDITORS}

    def get(self, request: HttpRequest) -> HttpResponse:
        told = {name: str(value) for name, value in request.GET.items()}
        question = question_of(told, now=timezone.now())
        context = {
            "title": _("Audit"),
            "told": told,
            "question": question,
            "types": EVENTS,
            "problems": [(name, PROBLEMS[code] % {"days": MAX_DAYS}) for name, code in question.problems.items()],
        }
        if question.problems:
            return render(request, "console/audit/search.html", context, status=UNREADABLE)
        record_look(user=request.user, what=AccessLog.What.SEARCH, about=asked(told))
        return render(request, "console/audit/search.html", {**context, **answered(question, told)})


def answered(question: Question, told: dict[str, str]) -> dict[str, Any]:
    page = found(question)
    return {
        "traces": traces_of(page.keys),
        "next": page.next,
        "looked_to": None if page.looked_to is None else moment_of(page.looked_to),
        "kept": {name: value for name, value in told.items() if value and name != "before"},
    }
