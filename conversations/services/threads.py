"""A message in a thread that personas answer in, from whichever side it came."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from conversations.domain.messages import Inbound, Kind
from conversations.domain.threads import OPENED, fingerprint
from conversations.models import PersonaThread, Relationship
from conversations.selectors.threads import persona_named, thread_by
from conversations.services import event_store
from conversations.services.event_store import NewEvent
from conversations.services.ingest import ingest
from conversations.services.relationships import Terms, opened, participant

PERSONAS = "lastword:personas"
REST = "thread"


@dataclass(frozen=True, slots=True)
class ThreadEvent:
    """One message as a channel or a REST caller tells it.

    `own_identity` marks the echo of something we posted; where our own message map names the persona, `persona` is its
    handle and `own_seq` the event of the post, which is the turn that may be answered. A REST sender that is the handle
    of a persona is that persona. `among` narrows who may answer.
    """

    key: str
    event_id: str
    sender: str
    text: str = ""
    subtype: str | None = None
    bot_id: str | None = None
    ts: str | None = None
    has_bot_profile: bool = False
    own_identity: bool = False
    persona: str | None = None
    own_seq: int | None = None
    among: Collection[str] | None = None


@dataclass(frozen=True, slots=True)
class ThreadAnswer:
    """The contract's answer, where the conversation is to be found, and whether it was given before."""

    relationship: Relationship
    answer: dict[str, Any]
    duplicate: bool


def handle_thread_event(told: ThreadEvent, *, actor: str, channel: str = REST) -> ThreadAnswer:
    """Records the message and what the guards decide about it; the same event id again gets the same answer."""
    named = told.sender if channel == REST else None
    unknown_echo = told.own_identity and told.own_seq is None
    author = None if unknown_echo else persona_named(told.persona or named)
    # made before any lock is taken, like every participant
    speaker = author or participant(told.sender)
    thread = thread_for(key=told.key, sender=told.sender, actor=actor, channel=channel)
    message = {
        "event_id": told.event_id,
        "sender": told.sender,
        "text": told.text,
        "subtype": told.subtype,
        "bot_id": told.bot_id,
        "ts": told.ts,
        "persona": author and author.handle,
    }
    heard = {
        "event_id": told.event_id,
        "sender_persona": author and author.handle,
        "subtype": told.subtype,
        "has_bot_id": bool(told.bot_id),
        "has_bot_profile": told.has_bot_profile,
        "own_identity": told.own_identity,
    }
    content = {
        "message": message,
        "heard": heard,
        "own_seq": told.own_seq if author else None,
        "among": told.among,
        "actor": speaker.actor,
    }
    inbound = Inbound(
        Kind.THREAD_EVENT, thread.pk, told.sender, content, dedupe=told.event_id, fingerprint=fingerprint(message)
    )
    admission = ingest(inbound, caller=None)
    answer = dict(admission.answer)
    answer.pop(inbound.id_field)
    return ThreadAnswer(admission.relationship, answer, duplicate=answer.pop("duplicate"))


def thread_for(*, key: str, sender: str, actor: str, channel: str = REST) -> PersonaThread:
    """The thread of that key, opened as a conversation by whoever speaks in it first."""
    known = thread_by(key)
    if known is not None:
        return known
    try:
        with transaction.atomic():
            return open_thread(key=key, sender=sender, actor=actor, channel=channel)
    except IntegrityError:
        known = thread_by(key)
        if known is None:
            raise
        return known  # somebody else opened it at this very moment


def open_thread(*, key: str, sender: str, actor: str, channel: str) -> PersonaThread:
    """A conversation between the first sender and our personas, within the policy's time."""
    now = timezone.now()
    terms = Terms(initiator=sender, responder=PERSONAS, context={"thread": key}, channel=channel)
    relationship = opened(terms, actor=actor, now=now)
    event_store.append(relationship, NewEvent(OPENED, actor, {"key": key}), now=now)
    return PersonaThread.objects.get(pk=relationship.pk)
