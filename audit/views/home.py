"""Home: what needs somebody now."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views import View

from audit.selectors.needs import Figure, failing_deliveries, figures, unlabelled_findings
from conversations.access import AUDITORS, EVERYBODY, OPERATORS, roles_of
from conversations.selectors.board import active, at_risk, summaries
from conversations.selectors.inbox import queue_head

SHOWN = 8
# What each figure counts, what its trend counts, and the list behind it.
FIGURES = {
    "waiting": (gettext_lazy("waiting for a person"), gettext_lazy("asked for"), "console:inbox", ""),
    "mine": (gettext_lazy("with you or offered to you"), gettext_lazy("taken by you"), "console:inbox", ""),
    "at_risk": (gettext_lazy("at risk"), gettext_lazy("alarms"), "console:live", "?risk=at_risk"),
    "unlabelled": (gettext_lazy("to be labelled"), gettext_lazy("alarms"), "console:labelling", ""),
    "broken": (
        gettext_lazy("broken chains"),
        gettext_lazy("verifications found any"),
        "console:audit_verification",
        "",
    ),
    "failing": (gettext_lazy("deliveries failing"), gettext_lazy("failed"), "console:home", "#failing-title"),
    "active": (gettext_lazy("active conversations"), gettext_lazy("opened"), "console:live", ""),
}
# Who may not open the labelling queue reads the same alarms here.
UNLABELLED_HERE = ("console:home", "#findings-title")


def needs_now(request: HttpRequest) -> dict[str, Any]:
    now, username = timezone.now(), request.user.get_username()
    queue, failing = queue_head(username, limit=SHOWN, now=now), failing_deliveries(now=now)
    roles = roles_of(request.user)
    risky = active().filter(at_risk(now=now)).order_by("expires_at", "id")
    return {
        "queue": queue,
        "figures": [shown(each, roles) for each in figures(queue, failing, username=username, now=now)],
        "risky": summaries(risky[:SHOWN]),
        "findings": unlabelled_findings()[:SHOWN],
        "failing": failing,
    }


def shown(figure: Figure, roles: frozenset[str]) -> dict[str, Any]:
    """A figure with its words and the address of the list behind it."""
    counted, happened, screen, rest = FIGURES[figure.name]
    if figure.name == "unlabelled" and not roles & (OPERATORS | AUDITORS):
        screen, rest = UNLABELLED_HERE
    return {"figure": figure, "counted": counted, "happened": happened, "address": reverse(screen) + rest}


class HomeView(View):
    roles = {"GET": EVERYBODY}

    def get(self, request: HttpRequest) -> HttpResponse:
        return render(request, "console/home.html", {**needs_now(request), "title": _("Home")})


class HomeNowView(View):
    """The same without its frame, for the page that refreshes itself."""

    roles = {"GET": EVERYBODY}

    def get(self, request: HttpRequest) -> HttpResponse:
        return render(request, "console/_now.html", needs_now(request))
