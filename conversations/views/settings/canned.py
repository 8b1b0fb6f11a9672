"""Canned replies: what operators call up with a slash."""

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views import View

from conversations.access import EVERYBODY, ConsoleRole, Person, roles_of
from conversations.domain.errors import ConversationError
from conversations.forms import CannedReplyForm
from conversations.selectors.canned_replies import canned_reply_rows
from conversations.services.canned_replies import remove_canned_reply, save_canned_reply
from conversations.views.acting import Done, act_view

WRITERS = frozenset({ConsoleRole.OPERATOR, ConsoleRole.EDITOR})


class CannedView(View):
    """Everybody reads them; who answers or edits makes new ones."""

    roles = {"GET": EVERYBODY, "POST": WRITERS}

    def get(self, request: HttpRequest) -> HttpResponse:
        return self.shown(request, CannedReplyForm())

    def post(self, request: HttpRequest) -> HttpResponse:
        form = CannedReplyForm(request.POST)
        if form.is_valid():
            try:
                save_canned_reply(**form.cleaned_data)
            except ConversationError as refusal:
                form.add_error("shortcut", refusal.detail)
            else:
                return redirect("console:settings_canned")
        return self.shown(request, form, status=422)

    def shown(self, request: HttpRequest, form: CannedReplyForm, status: int = 200) -> HttpResponse:
        may_write = bool(roles_of(request.user) & WRITERS)
        context = {"title": _("Canned replies"), "replies": canned_reply_rows(), "form": form, "may_write": may_write}
        return render(request, "console/settings/canned.html", context, status=status)


def canned_page(reply_id: int) -> str:
    return reverse("console:settings_canned")


def save(form: QueryDict, by: Person, reply_id: int) -> Done:
    reply = save_canned_reply(reply_id=reply_id, shortcut=form.get("shortcut", ""), text=form.get("text", ""))
    return Done(_("Saved: %(reply)s") % {"reply": reply}, canned_page(reply_id))


def remove(form: QueryDict, by: Person, reply_id: int) -> Done:
    remove_canned_reply(reply_id=reply_id)
    return Done(_("Removed."), canned_page(reply_id))


save_view = act_view("save", save, back=canned_page, roles=WRITERS)
remove_view = act_view("remove", remove, back=canned_page, roles=WRITERS)
