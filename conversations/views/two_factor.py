"""After the password: the code of an app, or setting the app up. Both open to a login that still owes its code."""

from base64 import b32encode
from typing import Any

import django_otp
import segno
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.http import url_has_allowed_host_and_scheme, urlencode
from django.utils.translation import gettext as _
from django.views import View
from django.views.decorators.cache import never_cache
from django_otp.plugins.otp_totp.models import TOTPDevice

from conversations.access import EVERYBODY
from conversations.domain.errors import ConversationError
from conversations.selectors.two_factor import app_of, two_factor_of
from conversations.services import two_factor


def next_of(request: HttpRequest) -> str:
    """Where somebody was going, where that is ours; else Home."""
    asked = request.POST.get("next") or request.GET.get("next", "")
    ours = url_has_allowed_host_and_scheme(asked, {request.get_host()}, require_https=request.is_secure())
    return asked if ours else reverse("console:home")


def proved(request: HttpRequest, device: Any) -> None:
    """From here on the session is one of both factors, under a key nobody had before."""
    request.session.cycle_key()
    django_otp.login(request, device)


@method_decorator(never_cache, name="dispatch")
class CodeView(View):
    roles = {"GET": EVERYBODY, "POST": EVERYBODY}
    before_second_step = True

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.asked(request)

    def post(self, request: HttpRequest) -> HttpResponse:
        try:
            proved(request, two_factor.check(request.user, request.POST.get("code", "")))
        except ConversationError as refusal:
            return self.asked(request, problem=refusal.detail, status=403)
        return redirect(next_of(request))

    def asked(self, request: HttpRequest, *, problem: str = "", status: int = 200) -> HttpResponse:
        context = {"title": _("Two-factor login"), "next": next_of(request), "problem": problem}
        return render(request, "console/two_factor_code.html", context, status=status)


@method_decorator(never_cache, name="dispatch")
class EnrolView(View):
    """A new secret on POST, then its code; who already has an app must have shown its code before."""

    roles = {"GET": EVERYBODY, "POST": EVERYBODY}
    before_second_step = True

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        if app_of(request.user) is not None and not request.user.is_verified():
            return redirect(f"{reverse('console:two_factor_code')}?{urlencode({'next': next_of(request)})}")
        return super().dispatch(request, *args, **kwargs)

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.shown(request)

    def post(self, request: HttpRequest) -> HttpResponse:
        if "code" not in request.POST:
            two_factor.begin(request.user)
            return redirect(f"{reverse('console:two_factor_enrol')}?{urlencode({'next': next_of(request)})}")
        try:
            device, codes = two_factor.confirm(request.user, request.POST["code"])
        except ConversationError as refusal:
            return self.shown(request, problem=refusal.detail, status=403)
        proved(request, device)
        context = {"title": _("Two-factor login"), "codes": codes, "next": next_of(request)}
        return render(request, "console/two_factor_done.html", context)

    def shown(self, request: HttpRequest, *, problem: str = "", status: int = 200) -> HttpResponse:
        context = {
            "title": _("Two-factor login"),
            "next": next_of(request),
            "problem": problem,
            "two_factor": two_factor_of(request.user),
            **picture_of(app_of(request.user, confirmed=False)),
        }
        return render(request, "console/two_factor_enrol.html", context, status=status)


def picture_of(waiting: TOTPDevice | None) -> dict[str, str]:
    """The secret as a picture to scan and as letters to type; nothing before the set-up began."""
    if waiting is None:
        return {}
    letters = b32encode(waiting.bin_key).decode()
    groups = " ".join(letters[start : start + 4] for start in range(0, len(letters), 4))
    picture = segno.make(waiting.config_url, error="m").svg_data_uri(scale=5, border=4, light="#fff")
    return {"picture": picture, "secret": groups}
