"""The metrics screens, and the conversations behind a figure."""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views import View

from audit.csv_report import csv_response
from audit.metrics.keys import Measure
from audit.selectors.behind import conversations_behind
from audit.views.reports import conversations, flows, guards, handoffs, replies, satisfaction
from audit.views.reports.labels import subject_words
from audit.views.reports.question import FILTERS, Answers, BadQuestion, Question
from audit.views.reports.table import Table
from conversations.access import EVERYBODY

Tab = tuple[Any, Callable[[Answers], list[Table]]]
TABS: dict[str, Tab] = {
    "conversations": (gettext_lazy("Conversations"), conversations.tables),
    "flows": (gettext_lazy("Flows"), flows.tables),
    "guards": (gettext_lazy("Guards"), guards.tables),
    "handoffs": (gettext_lazy("Handoffs"), handoffs.tables),
    "satisfaction": (gettext_lazy("Satisfaction"), satisfaction.tables),
    "replies": (gettext_lazy("Response times"), replies.tables),
}
CHART = {
    "animation": False,
    "responsive": True,
    "maintainAspectRatio": False,
    "maxBarThickness": 28,
    "plugins": {"legend": {"display": True, "align": "end", "labels": {"boxWidth": 12, "color": "#6b7280"}}},
    "scales": {
        "x": {"grid": {"display": False}, "ticks": {"color": "#6b7280", "maxRotation": 60, "autoSkip": True}},
        "y": {"beginAtZero": True, "grid": {"display": True}, "ticks": {"color": "#6b7280"}},
    },
}


class MetricsView(View):
    roles = {"GET": EVERYBODY}

    def get(self, request: HttpRequest) -> HttpResponse:
        tab = request.GET.get("tab", "conversations")
        context = {"title": _("Metrics"), "tab": tab, "tabs": tabs(request), "asked": request.GET}
        try:
            if tab not in TABS:
                raise BadQuestion(_("There is no such page of metrics."))
            question = Question.of(request.GET, today=timezone.now().date())
            answers = Answers(question)
            tables = TABS[tab][1](answers)
            if request.GET.get("format"):
                return exported(request, tables, tab)
        except BadQuestion as problem:
            return render(request, "console/metrics.html", {**context, "problem": str(problem)}, status=400)
        context |= {
            "question": question,
            "behind": answers.figures.behind,
            "drawings": [drawing(request, table) for table in tables],
        }
        return render(request, "console/metrics.html", context)


def tabs(request: HttpRequest) -> list[tuple[str, Any, str]]:
    """Each with the same dates and filters."""
    kept = {name: value for name, value in request.GET.items() if name in ("from", "to", *FILTERS)}
    return [(name, words, f"?{urlencode(kept | {'tab': name})}") for name, (words, _tables) in TABS.items()]


def drawing(request: HttpRequest, table: Table) -> dict[str, Any]:
    kept = request.GET.copy()
    kept.update({"format": "csv", "table": table.key})
    return {
        "table": table,
        "chart": json.dumps(table.chart()),
        "options": json.dumps(CHART),
        "links": json.dumps(table.links()),
        "csv": f"?{kept.urlencode()}",
    }


def exported(request: HttpRequest, tables: list[Table], tab: str) -> HttpResponse:
    """One table as CSV; without its name, the first."""
    asked = request.GET.get("table") or tables[0].key
    table = next((table for table in tables if table.key == asked), None)
    if request.GET["format"] != "csv" or table is None:
        raise BadQuestion(_("There is no such table."))
    return csv_response(table.csv_rows(), name=f"lastword-{tab}-{table.key}")


class MetricConversationsView(View):
    """A list whose whole question is in its address, so that it can be kept and sent."""

    roles = {"GET": EVERYBODY}

    def get(self, request: HttpRequest) -> HttpResponse:
        context: dict[str, Any] = {"title": _("Conversations behind a figure"), "back": reverse("console:metrics")}
        try:
            measure = request.GET.get("measure", "")
            if measure not in list(Measure):
                raise BadQuestion(_("There is no such measure."))
            question = Question.of(request.GET, today=timezone.now().date())
        except BadQuestion as problem:
            return render(
                request, "console/metric_conversations.html", {**context, "problem": str(problem)}, status=400
            )
        subject = request.GET.get("subject")
        page = conversations_behind(
            measure,
            question.period,
            question.filters,
            subject=subject,
            page=request.GET.get("page", "1"),
        )
        kept = request.GET.copy()
        kept.pop("page", None)
        context |= {
            "page": page,
            "question": question,
            "measure": subject_words(measure, subject),
            "kept": kept.urlencode(),
            "chosen": question.filters.chosen(),
        }
        return render(request, "console/metric_conversations.html", context)
