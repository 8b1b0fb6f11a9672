"""Labelling straight from the Live board."""

from uuid import UUID

from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views import View

from audit.services.labels import label_conversation
from conversations.access import OPERATORS
from conversations.domain.errors import ConversationError
from conversations.models import Relationship
from conversations.views.acting import answered

ANSWERS = ("loop", "no_loop")


class BulkLabelView(View):
    """One answer for every chosen conversation of the board, about its newest alarm where it has one."""

    roles = {"POST": OPERATORS}

    def post(self, request: HttpRequest) -> HttpResponse:
        answer, labelled, refusals = request.POST.get("answer"), 0, []
        if answer not in ANSWERS:
            return told(request, _("Say whether they are loops."), ok=False)
        for relationship in chosen_in(request.POST):
            try:
                label_conversation(
                    relationship_id=relationship.pk,
                    is_loop=answer == "loop",
                    finding_id=relationship.loop_finding,
                    note=request.POST.get("note", "")[:10_000],
                    reviewer=request.user.get_username(),
                    now=timezone.now(),
                )
                labelled += 1
            except ConversationError as refusal:
                refusals.append(refusal.detail)
        done = ngettext("%(count)d conversation labelled.", "%(count)d conversations labelled.", labelled)
        return told(request, " ".join([done % {"count": labelled}, *refusals]), ok=not refusals)


def told(request: HttpRequest, message: str, *, ok: bool) -> HttpResponse:
    level = messages.SUCCESS if ok else messages.ERROR
    return answered(request, {"ok": ok}, message, to=reverse("console:live"), level=level)


def chosen_in(form: QueryDict) -> QuerySet[Relationship]:
    """The conversations a form names; what is no id names none."""
    return Relationship.objects.filter(pk__in=[chosen for chosen in form.getlist("chosen") if is_id(chosen)])


def is_id(text: str) -> bool:
    try:
        return bool(UUID(text))
    except ValueError:
        return False
