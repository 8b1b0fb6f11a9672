"""An operator's act: a form in, one service called, and how it went told back."""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views import View

from conversations.access import OPERATORS, ConsoleRole, Person, person_of
from conversations.console_words import refusal_words
from conversations.domain.errors import ConversationError
from conversations.handoff_words import reason_words
from conversations.services.idempotency import StoredAnswer, answered_once, digest
from flows.errors import FlowError

REFUSALS = (ConversationError, FlowError)
# the name a page gives to one try of a form, so that trying again is not acting again
CLIENT_ID = "client_id"


@dataclass(frozen=True, slots=True)
class Done:
    """What to say, and where to go where the form does not say so itself."""

    message: str
    to: str


Act = Callable[[QueryDict, Person, Any], Done]


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an act went, whichever way that is told: `told` for a script, `message` for a person."""

    told: Mapping[str, Any]
    message: str
    to: str
    status: int = 200


class ActView(View):
    """Carries out one act; subclasses name it, and where a refusal leads."""

    roles = {"POST": OPERATORS}
    act: Act
    back: Callable[[Any], str]

    def post(self, request: HttpRequest, subject: UUID | int) -> HttpResponse:
        try:
            outcome = self.once(request, subject) if request.POST.get(CLIENT_ID) else self.outcome(request, subject)
        except REFUSALS as refusal:
            outcome = refusal_of(refusal, to=type(self).back(subject))
        return shown(request, outcome)

    def outcome(self, request: HttpRequest, subject: UUID | int) -> Outcome:
        try:
            done = type(self).act(request.POST, person_of(request.user), subject)
        except REFUSALS as refusal:
            return refusal_of(refusal, to=type(self).back(subject))
        return Outcome({"ok": True}, done.message, done.to)

    def once(self, request: HttpRequest, subject: UUID | int) -> Outcome:
        """The same, for a page that may send the same form again: it named this try, and one name is one act.

        Refusals are outcomes in here, not exceptions: one that closed the conversation must be kept.
        """

        def work() -> StoredAnswer:
            outcome = self.outcome(request, subject)
            return StoredAnswer(outcome.status, "application/json", json.dumps(asdict(outcome)))

        said = sorted((name, values) for name, values in request.POST.lists() if name != "csrfmiddlewaretoken")
        answer = answered_once(
            caller=digest(f"console:{person_of(request.user).actor}:{subject}"),
            key=digest(request.POST[CLIENT_ID]),
            fingerprint=digest(json.dumps([type(self).__name__, said])),
            work=work,
        )
        return Outcome(**json.loads(answer.body))


def act_view(
    name: str, act: Act, *, back: Callable[[Any], str], roles: frozenset[ConsoleRole] = OPERATORS
) -> Callable[..., Any]:
    """The view of one act, open to these roles."""
    said = {"act": staticmethod(act), "back": staticmethod(back), "roles": {"POST": roles}}
    view: type[ActView] = type(name, (ActView,), said)
    return view.as_view()


def whole_number(text: str, default: int = 0) -> int:
    """A number as a form or an address has it; anything else is the default."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= 9 else default


def search_words(text: str) -> str:
    """What somebody looks for; a NUL is in no stored text, and PostgreSQL refuses to look for one."""
    return text.replace("\0", "").strip()[:200]


def refused(request: HttpRequest, refusal: ConversationError | FlowError, *, to: str) -> HttpResponse:
    return shown(request, refusal_of(refusal, to=to))


def refusal_of(refusal: ConversationError | FlowError, *, to: str) -> Outcome:
    """A refusal is told in its own words; nothing was changed."""
    told = {"ok": False, "code": refusal.code, "detail": refusal.detail, "title": refusal.title}
    figures = dict(refusal.figures)
    if because := figures.get("because"):
        figures["because"] = reason_words(refusal.detail, {"reason": because})
    words = refusal_words(refusal.code, refusal.detail or refusal.title, figures)
    return Outcome(told, words, to, refusal.status)


def shown(request: HttpRequest, outcome: Outcome) -> HttpResponse:
    level = messages.SUCCESS if outcome.told["ok"] else messages.ERROR
    return answered(request, outcome.told, outcome.message, to=outcome.to, level=level)


def answered(request: HttpRequest, told: Mapping[str, Any], message: str, *, to: str, level: int) -> HttpResponse:
    """JSON for a script, else a message on the page one goes to: the form's `next`, where that is ours."""
    if request.get_preferred_type(["text/html", "application/json"]) == "application/json":
        return JsonResponse({**told, "message": message}, status=200 if told["ok"] else 409)
    messages.add_message(request, level, message)
    asked = request.POST.get("next", "")
    ours = url_has_allowed_host_and_scheme(asked, {request.get_host()}, require_https=request.is_secure())
    return redirect(asked if ours else to)
