"""Scheduled replies: which are due, and what a responder is told about the one it words."""

from datetime import datetime
from uuid import UUID

from django.db.models import Q

from conversations.domain.threads import OPEN
from conversations.models import Event, Persona, ScheduledReply
from conversations.responders import template
from conversations.responders.port import ReplyRequest
from conversations.selectors.events import as_recorded
from conversations.selectors.threads import said_in

BATCH = 200
HISTORY = 12
# A template without a text of its own says the prompt; everybody else is told what to do by it.
PLAIN_ANSWER = "Thank you {sender}, {persona} has read this."
BRIEF = "As {persona}, answer the visitor's message in this thread."

Position = tuple[datetime, UUID]


def due_after(position: Position | None, *, now: datetime) -> list[Position]:
    """The next replies to look at, longest due first: scheduled ones, and those whose lease ran out."""
    due = ScheduledReply.objects.filter(state__in=OPEN, due_at__lte=now)
    if position is not None:
        moment, last = position
        due = due.filter(Q(due_at__gt=moment) | Q(due_at=moment, id__gt=last))
    return list(due.order_by("due_at", "id").values_list("due_at", "id")[:BATCH])


def reply_request(reply: ScheduledReply, persona: Persona, *, now: datetime) -> ReplyRequest:
    """The message to answer and what was said before it. The id names the turn, also when it is asked again."""
    answered = Event.objects.select_related("payload").get(relationship=reply.thread_id, seq=reply.answers_seq)
    said = as_recorded(answered).content
    plain = persona.responder["kind"] == template.KIND
    return ReplyRequest(
        relationship_id=str(reply.thread_id),
        message_id=str(reply.pk),
        prompt=PLAIN_ANSWER if plain else BRIEF,
        now=now,
        # another persona's post has a name where a message has its sender
        facts={"sender": said.get("sender") or said.get("name"), "text": said.get("text"), "persona": persona.name},
        visitor_text=said.get("text", ""),
        history=said_in(answered.relationship_id, before_seq=answered.seq, last=HISTORY),
        persona=persona.handle,
    )
