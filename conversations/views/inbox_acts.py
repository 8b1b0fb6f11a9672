"""What an operator can do with a handoff."""

from uuid import UUID

from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext as _

from conversations.access import Person
from conversations.domain.errors import InvalidTermsError
from conversations.services import handoff
from conversations.services.handoff import GivenBack
from conversations.views.acting import Done, act_view, whole_number
from conversations.views.conversation_acts import chat_of, closure_type_in, page_of, pairs_in

MAX_TEXT = 10_000


def inbox() -> str:
    return reverse("console:inbox")


def text_in(form: QueryDict) -> str:
    text = form.get("text", "").strip()
    if not text or len(text) > MAX_TEXT:
        raise InvalidTermsError(field="text", code="required", message=_("Write between 1 and 10,000 characters."))
    return text


def claim(form: QueryDict, person: Person, handoff_id: UUID) -> Done:
    seen = whole_number(form.get("version", ""))
    handoff.claim(handoff_id=handoff_id, version=seen, operator=person.operator)
    return Done(_("You have this conversation now; the bot keeps quiet."), chat_of(handoff_id))


def release(form: QueryDict, person: Person, handoff_id: UUID) -> Done:
    handoff.release(handoff_id=handoff_id, operator=person.operator)
    return Done(_("It waits in the queue again."), inbox())


def transfer(form: QueryDict, person: Person, handoff_id: UUID) -> Done:
    to = form.get("to", "")
    handoff.transfer(handoff_id=handoff_id, to=to, operator=person.operator)
    return Done(_("Offered to %(name)s; you keep it until they accept.") % {"name": to}, chat_of(handoff_id))


def accept(form: QueryDict, person: Person, handoff_id: UUID) -> Done:
    handoff.accept(handoff_id=handoff_id, operator=person.operator)
    return Done(_("You have this conversation now."), chat_of(handoff_id))


def decline(form: QueryDict, person: Person, handoff_id: UUID) -> Done:
    handoff.decline(handoff_id=handoff_id, operator=person.operator)
    return Done(_("It stays with its holder."), inbox())


def reply(form: QueryDict, person: Person, handoff_id: UUID) -> Done:
    handoff.reply(handoff_id=handoff_id, text=text_in(form), operator=person.operator)
    return Done(_("Sent."), chat_of(handoff_id))


def note(form: QueryDict, person: Person, handoff_id: UUID) -> Done:
    handoff.note(handoff_id=handoff_id, text=text_in(form), operator=person.operator)
    return Done(_("Noted, for colleagues only."), chat_of(handoff_id))


def give_back(form: QueryDict, person: Person, handoff_id: UUID) -> Done:
    granted = {name[6:]: whole_number(count) for name, count in form.items() if name.startswith("grant:")}
    given = GivenBack(
        note=form.get("note", "")[:MAX_TEXT],
        facts=pairs_in(form.get("facts", "")),
        skip=tuple(form.getlist("skip")),
        grant={node: count for node, count in granted.items() if count},
    )
    returned, _decided = handoff.give_back(handoff_id=handoff_id, given=given, operator=person.operator)
    return Done(_("The bot has it again."), page_of(returned.relationship_id))


def resolve(form: QueryDict, person: Person, handoff_id: UUID) -> Done:
    resolved, _closure = handoff.resolve(
        handoff_id=handoff_id,
        closure_type=closure_type_in(form),
        summary=form.get("summary") or None,
        operator=person.operator,
    )
    return Done(_("Resolved; the conversation is closed."), page_of(resolved.relationship_id))


ACTS = {
    name: act_view(f"{name.title()}View", act, back=chat_of)
    for name, act in {
        "claim": claim,
        "release": release,
        "transfer": transfer,
        "accept": accept,
        "decline": decline,
        "reply": reply,
        "note": note,
        "return": give_back,
        "resolve": resolve,
    }.items()
}
