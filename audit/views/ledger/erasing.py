"""Erasing lawfully: one conversation's words by hand, everybody's by the retention policy. Administrators only."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views import View

from audit.models import RetentionPolicy, RetentionRun
from audit.selectors.retention import cutoff_of, due_conversations, retention_in_force
from audit.services.retention import set_retention
from conversations.access import ADMINS, AUDITORS, person_of
from conversations.domain.errors import ConversationError
from conversations.services.erasure import erase_payloads
from conversations.views.acting import whole_number

SHOWN = 20
COUNTED = 1000


class EraseView(View):
    roles = {"POST": ADMINS}

    def post(self, request: HttpRequest, relationship_id: UUID) -> HttpResponse:
        """All payloads, or those of the events that are named; the form must say that it is meant."""
        try:
            marks = erase_payloads(
                relationship_id=relationship_id,
                seqs=seqs_in(request.POST.get("seqs", "")),
                basis=request.POST.get("basis", "") if request.POST.get("meant") else "",
                by=person_of(request.user).actor,
                now=timezone.now(),
            )
        except ConversationError as refusal:
            messages.error(request, refusal.detail)
        else:
            count = len(marks)
            told = ngettext("%(count)d payload is erased.", "%(count)d payloads are erased.", count)
            messages.success(request, told % {"count": count})
        return redirect("console:audit_trail", relationship_id)


def seqs_in(text: str) -> list[int] | None:
    """Event numbers, however they are set apart; none means all. What is no number names no event."""
    pieces = text.replace(",", " ").split()
    return [whole_number(piece) for piece in pieces] or None


class RetentionView(View):
    roles = {"GET": AUDITORS, "POST": ADMINS}

    def get(self, request: HttpRequest) -> HttpResponse:
        policy = retention_in_force()
        cutoff = cutoff_of(policy, now=timezone.now())
        due = 0 if cutoff is None else due_conversations(cutoff=cutoff)[:COUNTED].count()
        context = {
            "title": _("Retention"),
            "policy": policy,
            "cutoff": cutoff,
            "due": due,
            "is_more": due == COUNTED,
            "history": RetentionPolicy.objects.all()[:SHOWN],
            "runs": RetentionRun.objects.select_related("policy")[:SHOWN],
        }
        return render(request, "console/audit/retention.html", context)

    def post(self, request: HttpRequest) -> HttpResponse:
        days = request.POST.get("days", "").strip()
        try:
            set_retention(
                days=whole_number(days) if days else None,
                basis=request.POST.get("basis", ""),
                author=request.user.get_username(),
                now=timezone.now(),
            )
        except ConversationError as refusal:
            messages.error(request, refusal.detail)
        else:
            messages.success(request, _("The new version is in force; the next run obeys it."))
        return redirect("console:audit_retention")
