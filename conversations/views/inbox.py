"""The inbox: who waits for a person, and the chat with whom one has."""

from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views import View

from conversations.access import EVERYBODY
from conversations.domain.errors import NotFoundError
from conversations.models import AccessLog, Handoff
from conversations.selectors.canned_replies import canned_replies
from conversations.selectors.handoffs import handoff_by
from conversations.selectors.inbox import lost_to_silence, queue_for
from conversations.selectors.operators import colleagues_of
from conversations.selectors.transcripts import WINDOW
from conversations.views.acting import whole_number
from conversations.views.conversation import choices, looked_at, reasons, talk


def queue_context(request: HttpRequest, chosen: UUID | None = None) -> dict[str, Any]:
    return {"queue": queue_for(request.user.get_username(), now=timezone.now()), "chosen": chosen}


def handoff_or_404(handoff_id: UUID) -> Handoff:
    try:
        return handoff_by(handoff_id)
    except NotFoundError as missing:
        raise Http404 from missing


def chat_context(request: HttpRequest, handoff: Handoff) -> dict[str, Any]:
    """What the chat's panel needs: whose it is, and everything the bot knew."""
    relationship = looked_at(request, handoff.relationship_id, AccessLog.What.INBOX)
    mine = handoff.operator == request.user.get_username()
    return {**reasons(relationship), "handoff": handoff, "mine": mine and handoff.status == "claimed"}


class InboxView(View):
    roles = {"GET": EVERYBODY}

    def get(self, request: HttpRequest) -> HttpResponse:
        return render(request, "console/inbox.html", {**queue_context(request), "title": _("Inbox")})


class QueueView(View):
    """The queue alone, for the page that refreshes itself."""

    roles = {"GET": EVERYBODY}

    def get(self, request: HttpRequest) -> HttpResponse:
        text = request.GET.get("chosen", "")
        try:
            chosen = UUID(text) if text else None
        except ValueError:
            chosen = None
        return render(request, "console/_queue.html", queue_context(request, chosen))


class ChatView(View):
    roles = {"GET": EVERYBODY}

    def get(self, request: HttpRequest, handoff_id: UUID) -> HttpResponse:
        handoff = handoff_or_404(handoff_id)
        context = chat_context(request, handoff)
        relationship = context["relationship"]
        after = whole_number(request.GET.get("after_seq", ""), max(0, relationship.head_seq - WINDOW))
        context |= {
            **queue_context(request, handoff.pk),
            **talk(relationship, after_seq=after),
            **choices(relationship),
            "title": _("Inbox"),
            "lost": lost_to_silence(handoff, request.user.get_username()),
            "canned": canned_replies(),
            "colleagues": colleagues_of(request.user),
        }
        return render(request, "console/chat.html", context)


class ChatNewsView(View):
    """New lines and the panel of a chat."""

    roles = {"GET": EVERYBODY}

    def get(self, request: HttpRequest, handoff_id: UUID) -> HttpResponse:
        context = chat_context(request, handoff_or_404(handoff_id))
        relationship = context["relationship"]
        after = whole_number(request.GET.get("after_seq", ""), relationship.head_seq)
        return render(request, "console/_news.html", {**context, **talk(relationship, after_seq=after, limit=WINDOW)})
