"""The accuracy dashboard: how good the loop review is, on what people said."""

import json
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop
from django.views import View

from audit.csv_report import csv_response, csv_stream
from audit.metrics.agreement import agreements
from audit.metrics.cases import grouped, number_of, week_of
from audit.metrics.lag import detection_lag
from audit.metrics.rates import Accuracy, accuracy
from audit.metrics.replay import replayed
from audit.metrics.tables import case_by_case, tables
from audit.selectors.alarm_costs import false_alarm_costs
from audit.selectors.loop_cases import ImportedCases, LabelledCases
from audit.selectors.loop_metrics import counted, figures, whole
from conversations.access import EVERYBODY
from conversations.console_words import CODES, said
from guards.selectors.policy import policy_in_force

PERIODS = {"7": 7, "30": 30, "90": 90, "all": None}
DEFAULT_PERIOD = "90"
GROUP_WORDS = {
    "rule": gettext_lazy("rule"),
    "channel": gettext_lazy("channel"),
    "flow": gettext_lazy("flow"),
    "policy_version": gettext_lazy("policy version"),
}
# Told apart by colour, dashes and marks: any one of them is enough.
LINES: dict[str, dict[str, Any]] = {
    "precision": {"borderColor": "var(--color-primary-600)", "pointStyle": "circle"},
    "recall": {"borderColor": "#b45309", "pointStyle": "rect", "borderDash": [7, 4]},
    "f1": {"borderColor": "#15803d", "pointStyle": "triangle", "borderDash": [2, 4]},
}
RATES = {"precision": gettext_noop("Precision"), "recall": gettext_noop("Recall"), "f1": "F1"}
GREY = "#8b93a1"  # readable on both grounds
CHART_OPTIONS: dict[str, Any] = {
    "animation": False,
    "maintainAspectRatio": False,
    "plugins": {"legend": {"position": "top", "align": "end", "labels": {"usePointStyle": True, "color": GREY}}},
    "scales": {"x": {"ticks": {"color": GREY}}, "y": {"min": 0, "max": 1, "ticks": {"color": GREY, "stepSize": 0.2}}},
}


class AccuracyView(View):
    roles = {"GET": EVERYBODY}

    def get(self, request: HttpRequest) -> HttpResponseBase:
        asked = Asked(request)
        source = asked.source()
        if request.GET.get("format") == "csv":
            if request.GET.get("table") == "cases":
                return csv_stream(case_by_case(source.each(), asked.threshold), name="loop-accuracy-cases")
            made = tables(source, by=asked.by)
            name = told if (told := request.GET.get("table", "")) in made else "groups"
            return csv_response(made[name](), name=f"loop-accuracy-{name}")
        return render(request, "console/accuracy.html", {**asked.shown(), **measured(source, asked)})


class Asked:
    """What the page's address asks for; anything it does not know is the default."""

    def __init__(self, request: HttpRequest) -> None:
        told = request.GET
        self.imported = told.get("data") == "imported"
        self.period = told["period"] if told.get("period") in PERIODS else DEFAULT_PERIOD
        self.by = told["by"] if told.get("by") in GROUP_WORDS else "rule"
        self.in_force = float(policy_in_force().document.workflow.loop_detection_threshold)
        self.threshold = share(told.get("threshold", ""), self.in_force)

    @property
    def since(self) -> datetime | None:
        days = PERIODS[self.period]
        return None if days is None else timezone.now() - timedelta(days=days)

    @property
    def words(self) -> dict[str, Any]:
        """What cases can be grouped by; an imported trace came from a source, through no channel."""
        return GROUP_WORDS | {"channel": gettext_lazy("source")} if self.imported else GROUP_WORDS

    def named(self, key: str) -> str:
        """A group as a person says it."""
        if self.by == "rule":
            return said(CODES, key) if key else _("no alarm")
        return key or "–"

    def source(self) -> LabelledCases | ImportedCases:
        return ImportedCases() if self.imported else LabelledCases(self.since)

    def address(self) -> dict[str, Any]:
        """This page's own query, without what it did not understand."""
        data = "imported" if self.imported else "live"
        return {"data": data, "period": self.period, "by": self.by, "threshold": self.threshold}

    def shown(self) -> dict[str, Any]:
        return {
            "title": _("Accuracy"),
            "imported": self.imported,
            "period": self.period,
            "periods": list(PERIODS),
            "by": self.by,
            "by_words": self.words[self.by],
            "groups": self.words,
            "threshold": self.threshold,
            "in_force": self.in_force,
            "csv": urlencode(self.address() | {"format": "csv"}),
        }


def share(text: str, default: float) -> float:
    try:
        return min(1.0, max(0.0, float(text)))
    except ValueError:
        return default


def measured(source: LabelledCases | ImportedCases, asked: Asked) -> dict[str, Any]:
    cases = source.alike(asked.by)
    weeks = {week: accuracy(group) for week, group in grouped(source.alike("week"), week_of).items()}
    return {
        "accuracy": accuracy(cases),
        "cases": number_of(cases),
        "weeks": weeks,
        "weeks_chart": json.dumps(chart(weeks)),
        "chart_options": json.dumps(CHART_OPTIONS),
        "by_group": {
            asked.named(key): accuracy(group)
            for key, group in grouped(cases, lambda case: getattr(case, asked.by)).items()
        },
        "agreements": agreements(source.said()),
        "lag": detection_lag(source.alike("lag")),
        **other_threshold(source, asked),
        "costs": false_alarm_costs(source) if isinstance(source, LabelledCases) else None,
        "figures": figures(whole(counted(since=source.since)), cases) if isinstance(source, LabelledCases) else None,
    }


def other_threshold(source: LabelledCases | ImportedCases, asked: Asked) -> dict[str, Any]:
    """What the threshold asked for would have changed; nothing where it is the one in force."""
    if asked.threshold == asked.in_force:
        return {}
    gained, lost = source.changed_by(asked.threshold)
    return {"replay": replayed(source.alike("peak"), asked.threshold), "gained": gained, "lost": lost}


def chart(weeks: dict[str, Accuracy]) -> dict[str, Any]:
    """The table beside it as lines, for Chart.js."""
    return {
        "labels": list(weeks),
        "datasets": [
            {
                "label": _(RATES[name]),
                "data": [getattr(week, name).value for week in weeks.values()],
                "backgroundColor": look["borderColor"],
                "borderWidth": 2,
                "pointRadius": 4,
                "spanGaps": True,
                **look,
            }
            for name, look in LINES.items()
        ],
    }
