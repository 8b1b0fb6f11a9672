"""Bundles to take along: of one conversation, of its lineage, of a period."""

from collections.abc import Callable
from datetime import datetime
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views import View

from audit.search.question import moment_in
from audit.services import keys
from audit.services.export import export_bundle
from audit.services.export_many import MAX_CONVERSATIONS, MAX_DAYS, export_lineage, export_period
from conversations.access import AUDITORS, OPERATORS
from conversations.domain.errors import ConversationError
from conversations.models import AccessLog, Relationship
from conversations.services.access_log import record_look
from conversations.views.conversation import looked_at

UNREADABLE = 422


def download(content: bytes, name: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="lastword-{name}.zip"'}
    return HttpResponse(content, content_type="application/zip", headers=headers)


class ExportOneView(View):
    roles = {"GET": AUDITORS | OPERATORS}

    def get(self, request: HttpRequest, relationship_id: UUID) -> HttpResponse:
        return exported(request, relationship_id, export_bundle, str(relationship_id))


class ExportLineageView(View):
    roles = {"GET": AUDITORS | OPERATORS}

    def get(self, request: HttpRequest, relationship_id: UUID) -> HttpResponse:
        return exported(request, relationship_id, export_lineage, f"lineage-{relationship_id}")


def exported(request: HttpRequest, relationship_id: UUID, make: Callable[..., bytes], name: str) -> HttpResponse:
    """The bundle, or why the log cannot be signed as things stand."""
    relationship: Relationship = looked_at(request, relationship_id, AccessLog.What.EXPORT)
    try:
        return download(make(relationship, now=timezone.now()), name)
    except ConversationError as refusal:
        return export_page(request, problem=refusal.detail, status=refusal.status)


class ExportView(View):
    """A period; with one, the bundle, else the form that asks for it and how to check what it gives."""

    roles = {"GET": AUDITORS}

    def get(self, request: HttpRequest) -> HttpResponse:
        told = {name: request.GET.get(name, "").strip()[:40] for name in ("since", "until")}
        if not any(told.values()):
            return export_page(request)
        problems: dict[str, str] = {}
        since = moment_in(told["since"], "since", problems)
        until = moment_in(told["until"], "until", problems, end_of_day=True)
        if since is None or until is None:
            return export_page(request, problem=_("Both ends of the period are needed, as dates."), told=told)
        return period(request, since, until, told)


def period(request: HttpRequest, since: datetime, until: datetime, told: dict[str, str]) -> HttpResponse:
    try:
        content = export_period(since=since, until=until, now=timezone.now())
    except ConversationError as refusal:
        return export_page(request, problem=refusal.detail, told=told, status=refusal.status)
    record_look(user=request.user, what=AccessLog.What.EXPORT, about=f"since={told['since']} until={told['until']}")
    return download(content, f"{since:%Y-%m-%d}-{until:%Y-%m-%d}")


def export_page(
    request: HttpRequest, *, problem: str = "", told: dict[str, str] | None = None, status: int | None = None
) -> HttpResponse:
    context = {
        "title": _("Export"),
        "problem": problem,
        "told": told or {},
        "max_days": MAX_DAYS,
        "max_conversations": MAX_CONVERSATIONS,
        "public_key": keys.public_key().hex(),
    }
    return render(request, "console/audit/export.html", context, status=status or (UNREADABLE if problem else 200))
