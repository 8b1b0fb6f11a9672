"""What every responder takes and gives back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Protocol

MAX_REPLY = 4_000
"""Characters of a reply; channels cut longer messages in ways of their own."""


class Directive(StrEnum):
    """How the flow wants its prompt worded."""

    REPHRASE = "REPHRASE"


@dataclass(frozen=True, slots=True)
class Utterance:
    speaker: str
    text: str


@dataclass(frozen=True, slots=True)
class ReplyRequest:
    """One reply to be worded. `message_id` names the turn, so that an agent can recognise a repetition."""

    relationship_id: str
    message_id: str
    prompt: str
    now: datetime
    facts: Mapping[str, Any] = field(default_factory=dict)
    directive: Directive | None = None
    visitor_text: str = ""
    history: tuple[Utterance, ...] = ()
    persona: str = ""


@dataclass(frozen=True, slots=True)
class Reply:
    text: str
    responder: str


class ResponderFailure(Exception):
    """No reply; `retryable` says whether asking again may help. Carries nothing of the conversation."""

    def __init__(self, code: str, *, retryable: bool) -> None:
        super().__init__(code)
        self.code = code
        self.retryable = retryable


class Responder(Protocol):
    def respond(self, *, request: ReplyRequest) -> Reply:
        """Word the reply, or raise `ResponderFailure`."""
        ...


def reply_from(text: object, *, responder: str) -> Reply:
    """A reply of what an outside party wrote, which must be text, some of it and not too much."""
    if not isinstance(text, str):
        raise ResponderFailure("bad_answer", retryable=False)
    text = text.strip()
    if not text:
        raise ResponderFailure("empty_answer", retryable=True)
    if len(text) > MAX_REPLY:
        raise ResponderFailure("answer_too_long", retryable=False)
    return Reply(text=text, responder=responder)
