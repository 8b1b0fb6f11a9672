"""API keys: made, shown once, revoked."""

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views import View
from django.views.decorators.cache import never_cache

from conversations.access import ADMINS, OVERSEERS, Person
from conversations.domain.errors import ConversationError
from conversations.forms import KeyForm
from conversations.selectors.api_keys import api_key_by, api_keys
from conversations.services.api_keys import create_api_key, revoke_api_key
from conversations.views.acting import Done, act_view


@method_decorator(never_cache, name="dispatch")
class KeysView(View):
    """The key itself is in the answer to its making and nowhere else: neither in a message nor in a cache."""

    roles = {"GET": OVERSEERS, "POST": ADMINS}

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.shown(request, KeyForm())

    def post(self, request: HttpRequest) -> HttpResponse:
        form = KeyForm(request.POST)
        if not form.is_valid():
            return self.shown(request, form, status=422)
        try:
            record, key = create_api_key(**form.terms())
        except ConversationError as refusal:
            form.add_error(None, refusal.detail)
            return self.shown(request, form, status=422)
        context = {"title": _("API keys"), "record": record, "key": key}
        return render(request, "console/settings/key_made.html", context, status=201)

    def shown(self, request: HttpRequest, form: KeyForm, status: int = 200) -> HttpResponse:
        context = {"title": _("API keys"), "keys": api_keys(), "form": form}
        return render(request, "console/settings/keys.html", context, status=status)


def keys_page(key_id: int) -> str:
    return reverse("console:settings_keys")


def revoke(form: QueryDict, by: Person, key_id: int) -> Done:
    revoke_api_key(api_key_by(key_id))
    return Done(_("Revoked: from the next request on the key is unknown."), keys_page(key_id))


revoke_view = act_view("revoke", revoke, back=keys_page, roles=ADMINS)
