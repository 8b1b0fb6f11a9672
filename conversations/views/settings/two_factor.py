"""One's own second factor."""

from django.contrib import messages
from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views import View
from django.views.decorators.cache import never_cache

from conversations.access import EVERYBODY
from conversations.domain.errors import ConversationError
from conversations.selectors.two_factor import two_factor_of
from conversations.services import two_factor


class TwoFactorView(View):
    roles = {"GET": EVERYBODY}

    def get(self, request: HttpRequest) -> HttpResponse:
        context = {"title": _("Two-factor login"), "two_factor": two_factor_of(request.user)}
        return render(request, "console/settings/two_factor.html", context)


@method_decorator(never_cache, name="dispatch")
class RecoveryCodesView(View):
    """Fresh codes, shown this once."""

    roles = {"POST": EVERYBODY}

    def post(self, request: HttpRequest) -> HttpResponse:
        try:
            codes = two_factor.new_recovery_codes(request.user)
        except ConversationError as refusal:
            messages.error(request, refusal.detail)
            return redirect("console:settings_two_factor")
        return render(request, "console/settings/recovery_codes.html", {"title": _("Two-factor login"), "codes": codes})


class TurnOffView(View):
    """For who need not have it; who must, asks an administrator to reset it."""

    roles = {"POST": EVERYBODY}

    def post(self, request: HttpRequest) -> HttpResponse:
        if two_factor_of(request.user).required:
            messages.error(request, _("Your roles ask for it. An administrator can reset it."))
            return redirect("console:settings_two_factor")
        two_factor.remove(request.user)
        logout(request)  # every login has ended, this one too: the page asks for a new one
        return redirect("console:settings_two_factor")
