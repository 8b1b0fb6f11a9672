"""The Live board: every active conversation."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views import View

from conversations.access import EVERYBODY, OPERATORS, person_of
from conversations.console_words import CODES, said
from conversations.domain.closure import ClosureType
from conversations.domain.errors import ConversationError
from conversations.domain.relationship import Driver, OwnerKind
from conversations.selectors.board import ORDERS, BoardQuery, board_page, channels_in_use, summaries
from conversations.selectors.saved_views import views_of
from conversations.services.closing import close_conversation
from conversations.views.acting import answered


def board_context(request: HttpRequest) -> dict[str, Any]:
    query = BoardQuery.of(request.GET)
    page = board_page(query, now=timezone.now())
    kept = request.GET.copy()
    kept.pop("page", None)
    return {"query": query, "page": page, "rows": summaries(page.object_list), "kept": kept.urlencode()}


class LiveView(View):
    roles = {"GET": EVERYBODY}

    def get(self, request: HttpRequest) -> HttpResponse:
        context = {
            **board_context(request),
            "title": _("Live"),
            "drivers": list(Driver),
            "owners": list(OwnerKind),
            "orders": list(ORDERS),
            "channels": channels_in_use(),
            "views": views_of(request.user),
            "closure_types": list(ClosureType),
            # what the rows that change in place need to say
            "words": {code: said(CODES, code) for code in (*OwnerKind, "closed")},
        }
        return render(request, "console/live.html", context)


class LiveRowsView(View):
    """The rows alone, for the page that refreshes itself."""

    roles = {"GET": EVERYBODY}

    def get(self, request: HttpRequest) -> HttpResponse:
        return render(request, "console/_board.html", board_context(request))


class BulkCloseView(View):
    """Closes every chosen conversation on its own: one that refuses keeps none of the others open."""

    roles = {"POST": OPERATORS}

    def post(self, request: HttpRequest) -> HttpResponse:
        person, closed, refusals = person_of(request.user), 0, []
        closure_type = request.POST.get("closure_type", "")
        if closure_type not in list(ClosureType):
            return self.told(request, _("Choose how the conversations end."), ok=False)
        for chosen in request.POST.getlist("chosen"):
            try:
                close_conversation(
                    relationship_id=UUID(chosen),
                    closure_type=ClosureType(closure_type),
                    summary=request.POST.get("summary") or None,
                    caller=person,
                )
                closed += 1
            except (ConversationError, ValueError) as refusal:
                refusals.append(str(refusal))
        message = ngettext("%(count)d conversation closed.", "%(count)d conversations closed.", closed)
        told = " ".join([message % {"count": closed}, *refusals])
        return self.told(request, told, ok=not refusals)

    def told(self, request: HttpRequest, message: str, *, ok: bool) -> HttpResponse:
        level = messages.SUCCESS if ok else messages.ERROR
        return answered(request, {"ok": ok}, message, to=reverse("console:live"), level=level)
