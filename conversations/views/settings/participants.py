"""Everybody who ever spoke."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views import View

from conversations.access import EVERYBODY
from conversations.selectors.participants import participants_page
from conversations.views.acting import search_words


class ParticipantsView(View):
    roles = {"GET": EVERYBODY}

    def get(self, request: HttpRequest) -> HttpResponse:
        q = search_words(request.GET.get("q", ""))
        page = participants_page(q=q, page=request.GET.get("page", "1"))
        context = {"title": _("Participants"), "page": page, "q": q, "kept": urlencode({"q": q}) if q else ""}
        return render(request, "console/settings/participants.html", context)
