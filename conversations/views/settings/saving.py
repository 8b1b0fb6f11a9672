"""What the forms of Settings share: a service called, and its refusal told at the field it concerns."""

from collections.abc import Callable
from typing import Any, TypeVar

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect

from conversations.console_words import TESTS
from conversations.domain.errors import ConversationError, NotFoundError
from conversations.services.probes import Tested

Found = TypeVar("Found")


def saved(form: forms.Form, act: Callable[[], Any]) -> bool:
    """Whether the service took it; each of its reasons stands at its field, else above the form."""
    try:
        act()
    except ConversationError as refusal:
        reasons = refusal.figures.get("errors") or [{"field": "", "message": refusal.detail or refusal.title}]
        for reason in reasons:
            field = reason["field"] if reason["field"] in form.fields else None
            form.add_error(field, reason["message"])
        return False
    return True


def found(look: Callable[[], Found]) -> Found:
    """What an address names, or the page that says there is no such thing."""
    try:
        return look()
    except NotFoundError as missing:
        raise Http404 from missing


def told(request: HttpRequest, message: str, to: str, *names: Any, ok: bool = True) -> HttpResponse:
    """Goes to a screen and says there how it went."""
    messages.add_message(request, messages.SUCCESS if ok else messages.ERROR, message)
    return redirect(to, *names)


def told_test(request: HttpRequest, tested: Tested, to: str, *names: Any) -> HttpResponse:
    return told(request, str(TESTS[tested.code]) % tested.figures, to, *names, ok=tested.ok)
