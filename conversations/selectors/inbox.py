"""The queue as an operator sees it, and what lies beside a conversation they hold."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from django.db.models import Count, Q

from conversations.domain.closure import Chain, open_items
from conversations.domain.handoff import IDLE, OPEN, RELEASED, HandoffStatus, waited_seconds
from conversations.models import Event, Handoff, Relationship
from conversations.selectors.events import as_recorded, chain_of
from conversations.selectors.handoffs import handoffs
from guards.selectors.policy import policy_in_force


class Patience(StrEnum):
    """How a wait stands against the policy's minutes."""

    FINE = "fine"
    WARN = "warn"
    BREACH = "breach"


@dataclass(frozen=True, slots=True)
class Waiting:
    """One entry of the queue; `position` counts who waits, from 1."""

    handoff: Handoff
    position: int | None
    wait_seconds: int
    patience: Patience


@dataclass(frozen=True, slots=True)
class Queue:
    """Everybody who waits, oldest first, and who is being helped."""

    waiting: list[Waiting]
    offered: list[Waiting]
    mine: list[Waiting]
    others: list[Waiting]
    warn_seconds: int
    breach_seconds: int


@dataclass(frozen=True, slots=True)
class QueueHead:
    """Who has waited longest, how many wait in all, and how many this operator has or is offered."""

    first: list[Waiting]
    waiting: int
    mine: int


def queue_for(username: str, *, now: datetime) -> Queue:
    """The open handoffs, sorted by what this operator can do with them; two queries."""
    warn, breach = limits()
    queue = Queue([], [], [], [], warn, breach)
    for handoff in handoffs().filter(status__in=OPEN).order_by("requested_at", "id"):
        position = len(queue.waiting) + 1 if handoff.status == HandoffStatus.WAITING else None
        entry = waiting_entry(handoff, position, warn=warn, breach=breach, now=now)
        section(queue, handoff, username).append(entry)
    return queue


def queue_head(username: str, *, limit: int, now: datetime) -> QueueHead:
    """The queue where only its front is shown: the rest is counted by the database, however many wait."""
    warn, breach = limits()
    waiting = handoffs().filter(status=HandoffStatus.WAITING).order_by("requested_at", "id")[:limit]
    held = Q(operator=username) | Q(transfer_to=username)
    return QueueHead(
        first=[
            waiting_entry(handoff, position, warn=warn, breach=breach, now=now)
            for position, handoff in enumerate(waiting, start=1)
        ],
        **Handoff.objects.filter(status__in=OPEN).aggregate(
            waiting=Count("pk", filter=Q(status=HandoffStatus.WAITING)),
            mine=Count("pk", filter=Q(status=HandoffStatus.CLAIMED) & held),
        ),
    )


def limits() -> tuple[int, int]:
    """After how many seconds a wait warns, and after how many it is too long."""
    policy = policy_in_force().document.handoff
    return int(policy.warn_minutes * 60), int(policy.breach_minutes * 60)


def waiting_entry(handoff: Handoff, position: int | None, *, warn: int, breach: int, now: datetime) -> Waiting:
    waited = waited_seconds(
        requested_at=handoff.requested_at, claimed_at=handoff.claimed_at, ended_at=handoff.ended_at, now=now
    )
    patience = patience_of(waited, warn=warn, breach=breach)
    return Waiting(handoff=handoff, position=position, wait_seconds=waited, patience=patience)


def section(queue: Queue, handoff: Handoff, username: str) -> list[Waiting]:
    if handoff.status == HandoffStatus.WAITING:
        return queue.waiting
    if handoff.transfer_to == username:
        return queue.offered
    return queue.mine if handoff.operator == username else queue.others


def patience_of(waited: int, *, warn: int, breach: int) -> Patience:
    if waited >= breach:
        return Patience.BREACH
    return Patience.WARN if waited >= warn else Patience.FINE


def lost_to_silence(handoff: Handoff, username: str) -> bool:
    """Whether it waits because this operator, the last who had it, said nothing for too long."""
    if handoff.status != HandoffStatus.WAITING:
        return False
    acts = Event.objects.filter(relationship_id=handoff.relationship_id, type=RELEASED).order_by("-seq")
    last = acts.select_related("payload").first()
    told = as_recorded(last).content if last else {}
    mine = (told.get("handoff_id"), told.get("operator")) == (str(handoff.pk), username)
    return mine and told.get("cause") == IDLE


def open_items_of(relationship: Relationship) -> list[str]:
    """What is still unanswered in this conversation."""
    return open_items(Chain(str(relationship.pk), relationship.created_at, chain_of(relationship)))
