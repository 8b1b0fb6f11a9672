"""The way into Settings."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views import View

from conversations.access import EVERYBODY


class SettingsView(View):
    roles = {"GET": EVERYBODY}

    def get(self, request: HttpRequest) -> HttpResponse:
        return render(request, "console/settings/home.html", {"title": _("Settings")})
