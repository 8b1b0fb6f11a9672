"""The labelling queue: one conversation, one question, one key."""

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views import View

from audit.selectors.label_queue import Waiting, evidence_seqs, pending, waiting_for
from audit.services.labels import draw_samples, label_conversation
from conversations.access import AUDITORS, OPERATORS, roles_of
from conversations.domain.errors import ConversationError
from conversations.models import AccessLog
from conversations.selectors.transcripts import WINDOW, transcript
from conversations.services.access_log import record_look
from conversations.views.acting import whole_number

SKIPPED = "labelling.skipped"
ANSWERS = ("loop", "no_loop")
REMEMBERED = 200


class LabellingView(View):
    """Operators label what is on top; auditors leaf through all of it and change nothing."""

    roles = {"GET": OPERATORS | AUDITORS, "POST": OPERATORS}

    def get(self, request: HttpRequest) -> HttpResponse:
        context: dict[str, Any] = {"title": _("Labelling")}
        if roles_of(request.user) & OPERATORS:
            waiting = next_for(request)
        else:
            page = Paginator(pending(request.user.get_username()), 1).get_page(request.GET.get("page"))
            waiting = Waiting(next(iter(page), None), page.paginator.count)
            context["page"] = page
        context |= {"sample": waiting.sample, "left": waiting.left}
        if waiting.sample is not None:
            relationship = waiting.sample.relationship
            record_look(user=request.user, relationship=relationship, what=AccessLog.What.CONVERSATION)
            context |= {
                "relationship": relationship,
                "finding": waiting.sample.finding,
                "evidence": evidence_seqs(waiting.sample.finding),
                "lines": transcript(relationship, after_seq=0, limit=WINDOW),
            }
        return render(request, "console/labelling.html", context)

    def post(self, request: HttpRequest) -> HttpResponse:
        """A skip is remembered for this session only: the conversation stays for somebody else."""
        told = request.POST
        if told.get("answer") == "skip":
            skipped = [*request.session.get(SKIPPED, []), whole_number(told.get("sample", ""))]
            request.session[SKIPPED] = skipped[-REMEMBERED:]
        else:
            label_from(request, id_in(told.get("relationship", "")))
        return redirect("console:labelling")


def next_for(request: HttpRequest) -> Waiting:
    """What this reviewer has not skipped; where nothing is left, what can be drawn now."""
    reviewer, skipped = request.user.get_username(), request.session.get(SKIPPED, [])
    waiting = waiting_for(reviewer, skipped=skipped)
    if waiting.sample is None and draw_samples(now=timezone.now()):
        waiting = waiting_for(reviewer, skipped=skipped)
    return waiting


class LabelView(View):
    """A label given anywhere else in the console: on any transcript, also for a loop nobody found."""

    roles = {"POST": OPERATORS}

    def post(self, request: HttpRequest, relationship_id: UUID) -> HttpResponse:
        try:
            label_from(request, relationship_id)
        except ConversationError as refusal:
            messages.error(request, refusal.detail)
        else:
            messages.success(request, _("Labelled. The accuracy figures count it from now on."))
        return redirect("console:conversation", relationship_id)


def label_from(request: HttpRequest, relationship_id: UUID) -> None:
    """What a script of ours never sends is refused before anything is labelled by it."""
    told = request.POST
    if told.get("answer") not in ANSWERS:
        raise BadRequest("an answer is one of: " + ", ".join(ANSWERS))
    label_conversation(
        relationship_id=relationship_id,
        is_loop=told.get("answer") == "loop",
        finding_id=id_in(told["finding"]) if told.get("finding") else None,
        note=told.get("note", "")[:10_000],
        reviewer=request.user.get_username(),
        now=timezone.now(),
    )


def id_in(text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError as problem:
        raise BadRequest("not an id") from problem
