"""The invariants about who spoke, and how often: I6, I7, I11 within a chain, I12 over the whole database."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from conversations.domain import events as names
from conversations.domain import handoff, threads, turns, workflow_steps
from conversations.domain.events import Recorded
from conversations.domain.fold import Folded, changes
from conversations.domain.relationship import OwnerKind
from conversations.models import Delivery, ScheduledReply

# What a caller numbers, by the type of event it leads to: one effect a number (I7).
NUMBERED = {turns.TURN: "message_id", workflow_steps.TAKEN: "step_id", threads.MESSAGE: "event_id"}
GIVEN_UP = (handoff.REQUESTED, handoff.RELEASED, handoff.RETURNED, handoff.RESOLVED, names.CLOSURE)

Found = Iterator[tuple[str, str]]


def spoken_out_of_turn(chain: Sequence[Recorded]) -> Found:
    """I6: an operator's words are the holder's. I11: a bot speaks by an allowing verdict, to an unchanged owner."""
    holder, owners, allowed = None, Folded(), {}
    for event in chain:
        if event.type == handoff.CLAIMED:
            holder = event.actor
        elif event.type in GIVEN_UP:
            holder = None
        elif event.type == handoff.REPLIED and event.actor != holder:
            yield "I6", f"event {event.seq} is said by {event.actor}, held by {holder}"
        elif event.type == threads.SCHEDULED:
            allowed[event.content.get("reply_id")] = owners.owner_version
        elif event.type == threads.REPLIED and event.payload is not None:
            if allowed.get(event.content.get("reply_id")) != owners.owner_version:
                yield "I11", f"reply {event.seq} has no verdict for owner version {owners.owner_version}"
        elif event.type == turns.TURN and owners.owner_kind == OwnerKind.OPERATOR and event.content.get("reply"):
            yield "I11", f"turn {event.seq} was answered while a person held the conversation"
        owners = replace(owners, **changes(owners, event))


def said_twice(chain: Sequence[Recorded]) -> Found:
    """I7: one effect a message id."""
    numbers = Counter(
        (event.type, event.content[NUMBERED[event.type]])
        for event in chain
        if event.type in NUMBERED and event.content.get(NUMBERED[event.type])
    )
    for (type_, number), count in numbers.items():
        if count > 1:
            yield "I7", f"{type_} {number} took effect {count} times"


def left_open(*, now: datetime) -> Found:
    """I12: no reply is still being thought about after its lease, no delivery waits unworked."""
    thinking = ScheduledReply.objects.filter(state=threads.ReplyState.THINKING, due_at__lt=now).count()
    if thinking:
        yield "I12", f"{thinking} replies are left unfinished"
    waiting = Delivery.objects.filter(status=Delivery.Status.RECEIVED, available_at__lt=now).count()
    if waiting:
        yield "I12", f"{waiting} deliveries are left unworked"
