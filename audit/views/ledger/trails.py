"""Trails: of a conversation, of its lineage, of a person."""

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views import View

from audit.search.moments import moment_of
from audit.selectors.people import SomebodyNamed, people_named, somebody
from audit.selectors.trails import WINDOW, conversations_of, deeds_of, erasures_of, looks_at, trail_of
from conversations.access import AUDITORS
from conversations.models import AccessLog
from conversations.selectors.relationships import lineage
from conversations.services.access_log import record_look
from conversations.views.acting import whole_number
from conversations.views.conversation import looked_at

KEY_DIGITS = 19


class TrailView(View):
    roles = {"GET": AUDITORS}

    def get(self, request: HttpRequest, relationship_id: UUID) -> HttpResponse:
        relationship = looked_at(request, relationship_id, AccessLog.What.TRAIL)
        after = whole_number(request.GET.get("after_seq", ""))
        traces = trail_of(relationship, after_seq=after)
        context = {
            "title": _("Trail"),
            "relationship": relationship,
            "traces": traces,
            "erased": erasures_of(relationship),
            "looks": looks_at(relationship),
            "family": lineage(relationship),
            "after": after,
            "earlier": max(0, after - WINDOW),
            "later": traces[-1].seq if traces and traces[-1].seq != relationship.head_seq else None,
        }
        return render(request, "console/audit/trail.html", context)


class LineageView(View):
    roles = {"GET": AUDITORS}

    def get(self, request: HttpRequest, relationship_id: UUID) -> HttpResponse:
        relationship = looked_at(request, relationship_id, AccessLog.What.TRAIL)
        context = {"title": _("Lineage"), "relationship": relationship, "family": lineage(relationship)}
        return render(request, "console/audit/lineage.html", context)


class PeopleView(View):
    """Who a name stands for; where it is one person, straight to their trail."""

    roles = {"GET": AUDITORS}

    def get(self, request: HttpRequest) -> HttpResponse:
        name = request.GET.get("name", "").strip()[:200].replace("\x00", "")
        people = people_named(name) if name else []
        if len(people) == 1:
            return redirect(address_of(people[0]))
        context = {"title": _("People"), "name": name, "people": [(one, address_of(one)) for one in people]}
        return render(request, "console/audit/people.html", context)


def address_of(person: SomebodyNamed) -> str:
    return reverse("console:audit_person", args=[person.kind, person.id])


class PersonView(View):
    roles = {"GET": AUDITORS}

    def get(self, request: HttpRequest, kind: str, id: str) -> HttpResponse:
        person = somebody(kind, id)
        if person is None:
            raise Http404
        record_look(user=request.user, what=AccessLog.What.PERSON, about=person.actor)
        before = request.GET.get("before", "")
        if before and not (before.isascii() and before.isdigit() and len(before) <= KEY_DIGITS):
            messages.error(request, _("There is no such page."))
            before = ""
        deeds, following = deeds_of(person, before=int(before) if before else None)
        context = {
            "title": _("Trail of a person"),
            "person": person,
            "deeds": deeds,
            "next": following,
            "since": moment_of(int(before)) if before else None,
            "conversations": conversations_of(UUID(person.id)) if kind == "participant" else [],
        }
        return render(request, "console/audit/person.html", context)
