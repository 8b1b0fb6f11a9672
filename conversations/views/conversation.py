"""One conversation: the talk on one side, why it goes as it goes on the other."""

from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views import View

from conversations.access import EVERYBODY, person_of
from conversations.domain.closure import ClosureType
from conversations.domain.errors import NotFoundError
from conversations.models import AccessLog, Relationship
from conversations.selectors.flow_runs import flow_of
from conversations.selectors.handoffs import open_handoff
from conversations.selectors.inbox import open_items_of
from conversations.selectors.relationships import lineage, relationship_for
from conversations.selectors.transcripts import WINDOW, transcript
from conversations.selectors.why import findings_of, why_of
from conversations.services.access_log import record_look
from conversations.views.acting import whole_number
from flows.selectors.flows import flow_by, versions_of


def looked_at(request: HttpRequest, relationship_id: UUID, what: str) -> Relationship:
    """The conversation, with a note that this person looked."""
    try:
        relationship = relationship_for(person_of(request.user), relationship_id)
    except NotFoundError as missing:
        raise Http404 from missing
    record_look(user=request.user, relationship=relationship, what=what)
    return relationship


def talk(relationship: Relationship, *, after_seq: int, limit: int | None = None) -> dict[str, Any]:
    """The transcript's part of a page."""
    return {
        "relationship": relationship,
        "lines": transcript(relationship, after_seq=after_seq, limit=limit),
        "upto": min(relationship.head_seq, after_seq + limit) if limit else relationship.head_seq,
        "after_seq": after_seq,
        "earlier": max(0, after_seq - WINDOW),
    }


def reasons(relationship: Relationship) -> dict[str, Any]:
    """The panel beside it."""
    return {
        "relationship": relationship,
        "handoff": open_handoff(relationship),
        "family": lineage(relationship),
        "open_items": open_items_of(relationship),
        "findings": findings_of(relationship),
        **why_of(relationship),
    }


class ConversationView(View):
    roles = {"GET": EVERYBODY}

    def get(self, request: HttpRequest, relationship_id: UUID) -> HttpResponse:
        relationship = looked_at(request, relationship_id, AccessLog.What.CONVERSATION)
        after = whole_number(request.GET.get("after_seq", ""), max(0, relationship.head_seq - WINDOW))
        parties = f"{relationship.initiator.handle} → {relationship.responder.handle}"
        context = {
            **talk(relationship, after_seq=after),
            **reasons(relationship),
            **choices(relationship),
            "title": _("Conversation"),
            "subtitle": parties,
        }
        return render(request, "console/conversation.html", context)


class ConversationNewsView(View):
    """The lines after a sequence number and the panel as it is now: what a page that watches asks for."""

    roles = {"GET": EVERYBODY}

    def get(self, request: HttpRequest, relationship_id: UUID) -> HttpResponse:
        relationship = looked_at(request, relationship_id, AccessLog.What.CONVERSATION)
        after = whole_number(request.GET.get("after_seq", ""), relationship.head_seq)
        news = talk(relationship, after_seq=after, limit=WINDOW)
        context = {**news, **reasons(relationship), **choices(relationship)}
        return render(request, "console/_news.html", context)


def choices(relationship: Relationship) -> dict[str, Any]:
    """What an operator's forms offer; more where a flow drives the conversation."""
    closure_types = list(ClosureType)
    if relationship.flow_slug is None:
        return {"closure_types": closure_types}
    versions = versions_of(flow_by(relationship.flow_slug)).exclude(version=relationship.flow_version)
    definition = flow_of(relationship).definition
    facts = {definition.canonical(name) for node in definition.nodes for name in node.produces}
    return {
        "versions": list(versions.values_list("version", flat=True)),
        "fact_names": sorted(facts | set(definition.facts)),
        "closure_types": closure_types,
    }
