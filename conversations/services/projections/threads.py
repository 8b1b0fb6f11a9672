"""Threads, their scheduled replies and the guards' counts, as their events say. The caller is in the guard scope."""

from collections.abc import Mapping
from uuid import UUID

from django.db.models import F, Q

from conversations.domain.events import Recorded
from conversations.domain.threads import (
    DROPPED,
    OPEN,
    OPENED,
    REPLIED,
    SAID,
    SCHEDULED,
    SKIPPED,
    ReplyState,
    reply_changes,
    thread_changes,
)
from conversations.models import GuardActivity, Persona, PersonaThread, Relationship, ScheduledReply

COUNTED = (SCHEDULED, SKIPPED, REPLIED, DROPPED)


def apply(relationship: Relationship, event: Recorded) -> None:
    """Moves everything one thread event moves."""
    told = event.content
    if event.type == OPENED:
        PersonaThread.objects.create(relationship=relationship, key=told["key"])
        return
    thread = PersonaThread.objects.get(pk=relationship.pk)
    if changed := thread_changes(thread, event):
        PersonaThread.objects.filter(pk=thread.pk).update(**changed)
    if event.type in SAID and told["persona"]:
        earlier = Q(last_posted_at=None) | Q(last_posted_at__lt=event.at)
        Persona.objects.filter(earlier, handle=told["persona"]).update(last_posted_at=event.at)
    if event.type == SCHEDULED:
        ScheduledReply.objects.create(id=told["reply_id"], thread=thread, **reply_changes(event))
    elif reply_id := told.get("reply_id"):
        ScheduledReply.objects.filter(pk=reply_id).update(**reply_changes(event))
    if event.type in COUNTED:
        count(event)


def count(event: Recorded) -> None:
    """One more of what the Guards screen shows by day."""
    told = event.content
    refusals = [verdict["guard"] for verdict in told["verdicts"] if verdict["code"] == told.get("code")]
    counted, _ = GuardActivity.objects.get_or_create(
        day=event.at.date(),
        event=event.type,
        guard=refusals[0] if told.get("code") and refusals else "",
        code=told.get("code") or "",
        persona=told.get("persona") or "",
    )
    GuardActivity.objects.filter(pk=counted.pk).update(count=F("count") + 1)


def end_with_conversations(closures: Mapping[UUID, Recorded]) -> None:
    """Nobody answers in conversations that have ended."""
    waiting = ScheduledReply.objects.filter(thread__relationship__in=closures, state__in=OPEN)
    waiting.update(state=ReplyState.DROPPED, text=None)


def forget_words(relationship: Relationship) -> None:
    """After an erasure no answer waits in a table of its own; a reply that is still due is thought anew."""
    ScheduledReply.objects.filter(thread__relationship=relationship).update(text=None)
