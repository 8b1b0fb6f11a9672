"""Keeping and forgetting views of the Live board: everybody's own affair."""

from urllib.parse import parse_qsl

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views import View

from conversations.access import EVERYBODY, Person, person_of
from conversations.domain.errors import ConversationError
from conversations.selectors.board import BoardQuery
from conversations.services.saved_views import forget_view, save_view
from conversations.views.acting import Done, act_view, answered, refused


def board(query: str = "") -> str:
    return reverse("console:live") + (f"?{query}" if query else "")


class SaveView(View):
    """The filters of the page one is on, under a name; they stay where they are."""

    roles = {"POST": EVERYBODY}

    def post(self, request: HttpRequest) -> HttpResponse:
        name = request.POST.get("name", "").replace("\0", "").strip()
        query = BoardQuery.of(dict(parse_qsl(request.POST.get("query", ""))))
        try:
            saved = save_view(user_id=person_of(request.user).pk, name=name, query=query)
        except ConversationError as refusal:
            return refused(request, refusal, to=board())
        message = _("Saved: %(reply)s") % {"reply": saved.name}
        return answered(request, {"ok": True}, message, to=board(saved.query), level=messages.SUCCESS)


def forget(form: QueryDict, person: Person, view_id: int) -> Done:
    forget_view(user_id=person.pk, view_id=view_id)
    return Done(_("Removed."), board())


forget_saved = act_view("ForgetView", forget, back=lambda view_id: board(), roles=EVERYBODY)
