"""The policy as a form: tried on past traffic before it is put into force."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views import View

from conversations.access import EDITORS, EVERYBODY
from conversations.selectors.thread_traffic import recorded_decisions
from conversations.views.acting import whole_number
from guards.errors import GuardError, InvalidPolicyError
from guards.policy_document import FieldError
from guards.policy_form import differences, partial_of, settings_of, typed
from guards.policy_words import GUARDS, PARTS, SETTINGS
from guards.selectors.policy import policies_by_version, policy_in_force
from guards.services.backtest import try_policy
from guards.services.policy import change_policy, merged

SPANS = (1, 7, 30, 90)
DEFAULT_SPAN = 7
MAX_NOTE = 500


@dataclass(frozen=True, slots=True)
class Draft:
    """What is on the screen: values that may differ from those in force, and the version they were read at."""

    shown: Mapping[str, Any]
    version: int
    days: int = DEFAULT_SPAN
    note: str = ""
    errors: tuple[FieldError, ...] = ()


class PolicyView(View):
    roles = {"GET": EVERYBODY, "POST": EDITORS}

    def get(self, request: HttpRequest) -> HttpResponse:
        """The policy in force; with `?from=` the values of an earlier version, to be put into force again."""
        current = policy_in_force()
        earlier = policies_by_version().get(whole_number(request.GET.get("from", ""), current.version))
        changed = differences(current.document, earlier) if earlier is not None else []
        return page(request, Draft({name: value for name, _old, value in changed}, current.version))

    def post(self, request: HttpRequest) -> HttpResponse:
        form = request.POST
        days = whole_number(form.get("days", ""), DEFAULT_SPAN)
        draft = Draft(
            shown=typed(form.dict()),
            version=whole_number(form.get("version", "")),
            days=days if days in SPANS else DEFAULT_SPAN,
            note=form.get("note", "").replace("\0", "").strip()[:MAX_NOTE],
        )
        try:
            return saved(request, draft) if "save" in form else tried(request, draft)
        except InvalidPolicyError as refusal:
            errors = tuple(FieldError(**error) for error in refusal.figures["errors"])
            messages.error(request, _("Nothing was saved: see what is said beside the marked settings."))
            return page(request, replace(draft, errors=errors), status=422)
        except GuardError as refusal:
            messages.error(request, refusal.detail)
            return page(request, draft, status=refusal.status)


def saved(request: HttpRequest, draft: Draft) -> HttpResponse:
    """A new version, unless nothing differs."""
    partial = partial_of(draft.shown)
    if not differences(policy_in_force().document, merged(policy_in_force().document, partial)):
        messages.info(request, _("Nothing differs from the policy in force."))
        return redirect("console:guards")
    made = change_policy(partial=partial, author=request.user.get_username(), note=draft.note, read_at=draft.version)
    messages.success(request, _("Version %(version)d is in force.") % {"version": made.version})
    return redirect("console:guards_history")


def tried(request: HttpRequest, draft: Draft) -> HttpResponse:
    """What these numbers would have decided differently; writes nothing."""
    traffic = recorded_decisions(since=timezone.now() - timedelta(days=draft.days))
    report = try_policy(traffic.decisions, partial=partial_of(draft.shown))
    for difference in report["differences"]:
        difference["relationship"], _slash, difference["seq"] = difference.pop("reference").partition("/")
    return page(request, draft, report={**report, "truncated": traffic.truncated})


def page(request: HttpRequest, draft: Draft, *, report: Any = None, status: int = 200) -> HttpResponse:
    current = policy_in_force()
    parts = settings_of(current.document, draft.shown, draft.errors)
    context = {
        "title": _("Guards"),
        "here": "policy",
        "version": draft.version,
        "in_force": current.version,
        "parts": [(name, PARTS[name], [(field, SETTINGS[field.name]) for field in parts[name]]) for name in PARTS],
        "other_errors": [error for error in draft.errors if error.field not in SETTINGS],
        "changed": any(field.changed for part in parts.values() for field in part),
        "days": draft.days,
        "spans": SPANS,
        "note": draft.note,
        "report": report,
        "guard_names": GUARDS,
    }
    return render(request, "console/guards/policy.html", context, status=status)
