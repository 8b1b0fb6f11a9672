"""Who may answer in threads, and how each words its answers."""

from collections.abc import Mapping
from typing import Any

from cryptography.fernet import InvalidToken
from django.conf import settings
from django.db import IntegrityError, transaction
from django.utils import timezone

from conversations.domain.errors import ConversationError, NotFoundError
from conversations.models import Persona
from conversations.responders import template
from conversations.responders.port import Responder, ResponderFailure
from conversations.responders.registry import InvalidResponderError, ResponderSettings, build_responder
from conversations.selectors.threads import persona_named
from conversations.services.sealing import sealed, unsealed
from flows.services.language_model import language_model

SECRET = "secret"  # noqa: S105 the name of a field


class PersonaExistsError(ConversationError):
    code = "persona_exists"
    title = "There is a persona of that handle already"


def create_persona(*, handle: str, name: str | None = None, responder: Mapping[str, Any] | None = None) -> Persona:
    """A new persona; its responder is checked as a whole first and is a plain template if none is given."""
    document = dict(responder or {"kind": template.KIND})
    build_responder(document, deployment())
    secret = document.pop(SECRET, "")
    try:
        with transaction.atomic():
            return Persona.objects.create(
                handle=handle,
                name=name or handle,
                responder=document,
                secret_sealed=sealed(secret),
                created_at=timezone.now(),
            )
    except IntegrityError as problem:
        raise PersonaExistsError(f"{handle} answers already; choose another handle.", handle=handle) from problem


def change_persona(*, handle: str, name: str, responder: Mapping[str, Any]) -> Persona:
    """Another name or responder; the handle stays, and a responder of the same kind keeps a secret not given anew."""
    persona = persona_named(handle)
    if persona is None:
        raise NotFoundError("There is no such persona.")
    document = dict(responder)
    kept = SECRET not in document and document["kind"] == persona.responder["kind"] and persona.secret_sealed
    if kept:
        document[SECRET] = unsealed(persona.secret_sealed)
    build_responder(document, deployment())
    secret = document.pop(SECRET, "")
    persona.name, persona.responder, persona.secret_sealed = name or handle, document, sealed(secret)
    persona.save(update_fields=["name", "responder", "secret_sealed"])
    return persona


def answers_at_once(persona: Persona) -> bool:
    """A template needs nobody else, so it may answer under lock; others think outside of it."""
    return bool(persona.responder["kind"] == template.KIND)


def responder_of(persona: Persona) -> Responder:
    """The persona's responder, ready to be asked; one that no longer makes sense fails like one that is silent."""
    try:
        document = dict(persona.responder)
        if persona.secret_sealed:
            document[SECRET] = unsealed(persona.secret_sealed)
        return build_responder(document, deployment())
    except (InvalidResponderError, InvalidToken) as problem:
        raise ResponderFailure("not_configured", retryable=False) from problem


def deployment() -> ResponderSettings:
    """What this installation allows responders."""
    return ResponderSettings(allow_private_urls=settings.LASTWORD_ALLOW_PRIVATE_URLS, llm=language_model())
