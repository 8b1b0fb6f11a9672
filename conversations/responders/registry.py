"""From a stored `{"kind": ...}` to a responder; a senseless one is refused field by field."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from conversations.domain.errors import ConversationError
from conversations.outgoing.client import DEFAULT_TIMEOUT
from conversations.outgoing.url_safety import UnsafeUrl, check_url
from conversations.responders import http, llm, template
from conversations.responders.http import HttpResponder
from conversations.responders.llm import LlmResponder
from conversations.responders.port import MAX_REPLY, Responder
from conversations.responders.template import TemplateResponder
from flows.extraction.llm_endpoint import LlmConfig

MAX_TIMEOUT = 30
MIN_SECRET = 16


@dataclass(frozen=True, slots=True)
class ResponderSettings:
    """What the deployment decides, not the editor."""

    allow_private_urls: bool = False
    llm: LlmConfig | None = None


@dataclass(frozen=True, slots=True)
class FieldError:
    field: str
    code: str
    message: str


class InvalidResponderError(ConversationError):
    """A responder's configuration makes no sense; `errors` names each field."""

    code = "invalid"
    status = 422
    title = "The request is not valid"

    def __init__(self, errors: list[FieldError]) -> None:
        super().__init__(
            "The responder is not valid.",
            errors=[{"field": e.field, "code": e.code, "message": e.message} for e in errors],
        )
        self.errors = tuple(errors)


Document = Mapping[str, Any]
Build = Callable[[Document, ResponderSettings, list[FieldError]], Responder]


def build_responder(document: object, settings: ResponderSettings) -> Responder:
    """The responder a document describes; nothing (None or {}) is a plain template. Raises `InvalidResponderError`."""
    if document is None or document == {}:
        return TemplateResponder()
    if not isinstance(document, Mapping):
        raise InvalidResponderError([FieldError("", "wrong_type", "A responder is an object.")])
    kind = document.get("kind")
    if not isinstance(kind, str) or kind not in _KINDS:
        known = ", ".join(_KINDS)
        raise InvalidResponderError([FieldError("kind", "unknown_kind", f"Choose one of {known}.")])
    allowed, build = _KINDS[kind]
    errors = [
        FieldError(str(key), "unknown_key", f"A {kind} responder has no such setting.")
        for key in document
        if key not in allowed
    ]
    responder = build(document, settings, errors)
    if errors:
        raise InvalidResponderError(errors)
    return responder


def _template(document: Document, settings: ResponderSettings, errors: list[FieldError]) -> Responder:
    return TemplateResponder(text=_string(document, "text", errors))


def _http(document: Document, settings: ResponderSettings, errors: list[FieldError]) -> Responder:
    url = _string(document, "url", errors, required=True)
    secret = _string(document, "secret", errors, required=True)
    timeout = document.get("timeout_seconds", DEFAULT_TIMEOUT)
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not 0 < timeout <= MAX_TIMEOUT:
        errors.append(FieldError("timeout_seconds", "out_of_range", f"Between 0 and {MAX_TIMEOUT} seconds."))
        timeout = DEFAULT_TIMEOUT
    if secret and len(secret) < MIN_SECRET:
        errors.append(FieldError("secret", "too_short", f"At least {MIN_SECRET} characters."))
    if url:
        try:
            check_url(url, allow_private=settings.allow_private_urls)
        except UnsafeUrl as unsafe:
            errors.append(FieldError("url", unsafe.code, unsafe.message))
    return HttpResponder(
        url=url, secret=secret, allow_private=settings.allow_private_urls, timeout_seconds=float(timeout)
    )


def _llm(document: Document, settings: ResponderSettings, errors: list[FieldError]) -> Responder:
    instructions = _string(document, "instructions", errors)
    if settings.llm is None:
        errors.append(FieldError("kind", "llm_not_configured", "This deployment has no language model."))
        return TemplateResponder()
    return LlmResponder(config=settings.llm, instructions=instructions)


def _string(document: Document, key: str, errors: list[FieldError], *, required: bool = False) -> str:
    value = document.get(key, "")
    if not isinstance(value, str):
        errors.append(FieldError(key, "wrong_type", "This is text."))
        return ""
    if required and not value.strip():
        errors.append(FieldError(key, "required", "This is needed."))
    if len(value) > MAX_REPLY:
        errors.append(FieldError(key, "too_long", f"At most {MAX_REPLY} characters."))
    return value


_KINDS: Mapping[str, tuple[frozenset[str], Build]] = {
    template.KIND: (frozenset({"kind", "text"}), _template),
    http.KIND: (frozenset({"kind", "url", "secret", "timeout_seconds"}), _http),
    llm.KIND: (frozenset({"kind", "instructions"}), _llm),
}
