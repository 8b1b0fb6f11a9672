"""What an operator can do to a conversation they watch."""

from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views import View

from conversations.access import OPERATORS, Person, person_of
from conversations.domain.closure import ClosureType
from conversations.domain.errors import InvalidTermsError
from conversations.services import handoff
from conversations.services.closing import close_conversation
from conversations.services.reengagement import create_followup
from conversations.services.turns import migrate, set_facts, steer
from conversations.views.acting import REFUSALS, Done, act_view, answered, refused, whole_number
from flows.engine.steps import OperatorAct

MOST_TRIES = 20


def page_of(relationship_id: UUID) -> str:
    return reverse("console:conversation", args=[relationship_id])


def chat_of(handoff_id: UUID) -> str:
    return reverse("console:chat", args=[handoff_id])


def take_over(form: QueryDict, person: Person, relationship_id: UUID) -> Done:
    reason = form.get("reason") or _("Taken over from the console")
    taken = handoff.take_over(relationship_id=relationship_id, reason=reason, operator=person.operator)
    return Done(_("You have this conversation now; the bot keeps quiet."), chat_of(taken.pk))


def ask_for_human(form: QueryDict, person: Person, relationship_id: UUID) -> Done:
    reason = form.get("reason") or _("Asked for from the console")
    handoff.request_handoff(relationship_id=relationship_id, reason=reason, caller=person)
    return Done(_("A person is asked for."), page_of(relationship_id))


def close(form: QueryDict, person: Person, relationship_id: UUID) -> Done:
    close_conversation(
        relationship_id=relationship_id,
        closure_type=closure_type_in(form),
        summary=form.get("summary") or None,
        caller=person,
    )
    return Done(_("The conversation is closed."), page_of(relationship_id))


def closure_type_in(form: QueryDict) -> ClosureType:
    named = form.get("closure_type", "")
    if named not in list(ClosureType):
        raise InvalidTermsError(field="closure_type", code="unknown_value", message=_("Choose how it ends."))
    return ClosureType(named)


def follow_up(form: QueryDict, person: Person, relationship_id: UUID) -> Done:
    made = create_followup(relationship_id=relationship_id, appointment=None, caller=person)
    return Done(_("This is the follow-up."), page_of(made.pk))


def change_fact(form: QueryDict, person: Person, relationship_id: UUID) -> Done:
    name, value = form.get("name", "").strip(), form.get("value", "").strip()
    if not name:
        raise InvalidTermsError(field="name", code="required", message=_("Name the fact."))
    changed = set_facts(
        relationship_id=relationship_id,
        set_={name: value} if value else {},
        remove=() if value else (name,),
        operator=person.operator,
    )
    gained, lost = ", ".join(changed["gatesGained"]), ", ".join(changed["gatesLost"])
    told = [_("Fact set.") if value else _("Fact removed.")]
    told += [_("Gates opened: %(gates)s.") % {"gates": gained}] if gained else []
    told += [_("Gates lost: %(gates)s.") % {"gates": lost}] if lost else []
    return Done(" ".join(told), page_of(relationship_id))


def steer_node(form: QueryDict, person: Person, relationship_id: UUID) -> Done:
    """Skips a node for good, or grants it more tries."""
    node, more = form.get("node", ""), whole_number(form.get("tries", ""))
    if form.get("what") == "skip":
        steer(relationship_id=relationship_id, act=OperatorAct(skip=(node,)), operator=person.operator)
        return Done(_("%(node)s is skipped from now on.") % {"node": node}, page_of(relationship_id))
    if not 0 < more <= MOST_TRIES:
        raise InvalidTermsError(field="tries", code="out_of_range", message=_("Grant between 1 and 20 tries."))
    steer(relationship_id=relationship_id, act=OperatorAct(grant={node: more}), operator=person.operator)
    return Done(_("%(node)s may try again.") % {"node": node}, page_of(relationship_id))


def pairs_in(text: str) -> dict[str, str]:
    """`name = value`, one a line."""
    told = (line.partition("=") for line in text.splitlines() if "=" in line)
    return {name.strip(): value.strip() for name, _sign, value in told}


class MigrateView(View):
    """Shows what moving to another version would do; moves when that is confirmed."""

    roles = {"POST": OPERATORS}

    def post(self, request: HttpRequest, subject: UUID) -> HttpResponse:
        text, confirmed = request.POST.get("mapping", ""), "confirm" in request.POST
        version = request.POST.get("version", "")
        try:
            plan = migrate(
                relationship_id=subject,
                version=whole_number(version),
                mapping=pairs_in(text),
                dry_run=not confirmed,
                caller=person_of(request.user),
            )
        except REFUSALS as refusal:
            return refused(request, refusal, to=page_of(subject))
        if confirmed:
            moved = _("The conversation runs on version %(version)s now.") % {"version": version}
            return answered(request, {"ok": True}, moved, to=page_of(subject), level=messages.SUCCESS)
        context = {
            "title": _("Move to another version"),
            "plan": plan,
            "version": version,
            "mapping": text,
            "relationship_id": subject,
        }
        return render(request, "console/migrate.html", context)


ACTS = {
    "takeover": act_view("TakeOverView", take_over, back=page_of),
    "handoff": act_view("AskForHumanView", ask_for_human, back=page_of),
    "close": act_view("CloseView", close, back=page_of),
    "followup": act_view("FollowUpView", follow_up, back=page_of),
    "facts": act_view("FactView", change_fact, back=page_of),
    "steer": act_view("SteerView", steer_node, back=page_of),
    "migrate": MigrateView.as_view(),
}
