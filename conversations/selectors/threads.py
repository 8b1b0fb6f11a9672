"""What the guards look at: a thread, its personas and the other threads, as they are at this moment."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from conversations.domain.relationship import ConversationState
from conversations.domain.threads import SAID, age_ms, elapsed_ms
from conversations.models import Event, Persona, PersonaThread, ScheduledReply
from conversations.responders.port import Utterance
from conversations.selectors.events import as_recorded
from guards.policies.context import Persona as GuardedPersona
from guards.policies.context import ThreadContext
from guards.policy_document import ThreadPolicy


def thread_by(key: str) -> PersonaThread | None:
    return PersonaThread.objects.filter(key=key).first()


def personas() -> QuerySet[Persona]:
    return Persona.objects.all()


def persona_by(handle: str) -> Persona:
    return Persona.objects.get(handle=handle)


def persona_named(handle: str | None) -> Persona | None:
    """The persona somebody claims to be, if there is one."""
    return Persona.objects.filter(handle=handle).first() if handle else None


@dataclass(frozen=True, slots=True)
class Look:
    """Whom to look at: the personas that may answer, and the post a message is the echo of, where it is one."""

    among: Collection[str] | None = None
    own_seq: int | None = None


def look_at_message(
    thread: PersonaThread, heard: dict[str, Any], look: Look, *, policy: ThreadPolicy, now: datetime
) -> ThreadContext:
    """The thread as the message finds it; `heard` holds what the context says of the message itself."""
    everybody = Persona.objects.all()
    personas = everybody if look.among is None else everybody.filter(handle__in=look.among)
    others = thread_besides(thread, look.own_seq)
    return ThreadContext(
        thread=thread.key,
        turns=others.turns,
        last_message_age_ms=age_ms(others.last_message_at, now=now),
        personas=as_guarded(personas, now=now),
        last_persona=others.last_persona,
        **activity_around(thread, policy=policy, now=now),
        **heard,
    )


@dataclass(frozen=True, slots=True)
class Besides:
    """A thread without one of its messages."""

    turns: int
    last_message_at: datetime | None
    last_persona: str | None


def thread_besides(thread: PersonaThread, seq: int | None) -> Besides:
    """The thread's messages except the one being answered: it was recorded already where it is a post of ours."""
    if seq is None:
        return Besides(thread.turns, thread.last_message_at, thread.last_persona)
    at, persona = thread.last_message_at, thread.last_persona
    earlier = Event.objects.filter(relationship=thread.pk, type__in=SAID, seq__lt=seq).order_by("-seq")
    if thread.last_message_seq == seq:
        at = earlier.values_list("at", flat=True).first()
    if thread.last_persona_seq == seq:
        spoke = (as_recorded(event).content.get("persona") for event in earlier.select_related("payload"))
        persona = next((handle for handle in spoke if handle), None)
    return Besides(thread.turns - 1, at, persona)


def look_at_posting(reply: ScheduledReply, *, policy: ThreadPolicy, now: datetime) -> ThreadContext:
    """The same thread when the reply is about to be posted, still without the message being answered."""
    thread, decided = reply.thread, ThreadContext.from_json(reply.context)
    age_then = decided.last_message_age_ms
    age_since = None if age_then is None else age_then + elapsed_ms(reply.scheduled_at, now)
    nothing_since = thread.last_message_seq == reply.answers_seq
    answers_last_persona = thread.last_persona_seq == reply.answers_seq
    return replace(
        decided,
        turns=thread.turns - 1,
        last_message_age_ms=age_since if nothing_since else age_ms(thread.last_message_at, now=now),
        personas=as_guarded(Persona.objects.filter(handle=reply.persona), now=now),
        last_persona=decided.last_persona if answers_last_persona else thread.last_persona,
        **activity_around(thread, policy=policy, now=now),
    )


def as_guarded(personas: Iterable[Persona], *, now: datetime) -> tuple[GuardedPersona, ...]:
    return tuple(GuardedPersona(persona.handle, age_ms(persona.last_posted_at, now=now)) for persona in personas)


def activity_around(thread: PersonaThread, *, policy: ThreadPolicy, now: datetime) -> dict[str, Any]:
    """Whether this thread is active, and how many others are; one that has ended takes no room."""
    since = now - timedelta(minutes=float(policy.active_window_minutes))
    active = PersonaThread.objects.filter(
        last_active_at__gt=since, relationship__conversation_state=ConversationState.ACTIVE
    )
    return {
        "thread_active": thread.last_active_at is not None and thread.last_active_at > since,
        "active_threads_elsewhere": active.exclude(pk=thread.pk).count(),
    }


def said_in(relationship_id: UUID, *, before_seq: int, last: int) -> tuple[Utterance, ...]:
    """The last messages before one of the thread, oldest first; erased words are left out."""
    said = Event.objects.filter(relationship=relationship_id, type__in=SAID, seq__lt=before_seq)
    recent = [as_recorded(event).content for event in said.select_related("payload").order_by("-seq")[:last]]
    return tuple(Utterance(told.get("name") or told["sender"], told["text"]) for told in reversed(recent) if told)
