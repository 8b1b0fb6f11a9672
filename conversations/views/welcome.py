"""Choosing a password by a link from an administrator."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.views import PasswordResetConfirmView
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache


@method_decorator(never_cache, name="dispatch")
class WelcomeView(PasswordResetConfirmView):
    """The link works once; the password is theirs alone, and the login then goes its ordinary way."""

    template_name = "console/welcome.html"
    success_url = reverse_lazy("admin:login")
    title = _("Choose a password")

    def get_context_data(self, **context: Any) -> dict[str, Any]:
        return {**admin.site.each_context(self.request), **super().get_context_data(**context)}
