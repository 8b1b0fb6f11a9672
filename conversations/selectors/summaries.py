"""Conversations as the board shows them, and what changed since somebody last looked."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from django.db.models import F, Max, Q

from conversations.domain.disclosure import for_party
from conversations.domain.events import CLOSURE, Recorded
from conversations.domain.handoff_summary import spoken
from conversations.domain.relationship import ConversationState, Driver
from conversations.domain.times import to_text
from conversations.domain.workflow_steps import TAKEN
from conversations.models import Dialogue, Event, FlowRun, Handoff, Relationship
from conversations.selectors.events import as_recorded
from conversations.selectors.relationships import relationships

PAGE = 500
LINE_LENGTH = 120
# How far back the last words are looked for.
TAIL = 8
# Ids are given before the commit, so that one somewhat below the newest may appear later.
OVERLAP = 200
CHANGED_LIMIT = 5000


def summary_json(relationship: Relationship, *, last_line: str, current: str | None) -> dict[str, Any]:
    """One row of the board."""
    return {
        "id": str(relationship.pk),
        "seq": relationship.head_seq,
        "parties": {"initiator": relationship.initiator.handle, "responder": relationship.responder.handle},
        "channel": relationship.channel,
        "driver": relationship.driver,
        "depth": relationship.conversation_depth,
        "max_depth": relationship.max_depth,
        "expires_at": to_text(relationship.expires_at),
        "last_activity_at": to_text(relationship.last_activity_at),
        "owner": {
            "kind": relationship.owner_kind,
            "operator": relationship.owner_operator,
            "version": relationship.owner_version,
        },
        "state": relationship.conversation_state,
        "current": current,
        "last_line": last_line,
        "closed": relationship.closed_at is not None,
        "closure_type": relationship.closure_type,
        "loop_risk": None if relationship.loop_risk is None else float(relationship.loop_risk),
    }


def last_line(event: Recorded) -> str:
    """The words an event leaves standing, ours after the visitor's; a note or a draft between us is none."""
    event = for_party(event)
    if event.type == CLOSURE:
        return str(event.content.get("closure_reason", ""))[:LINE_LENGTH]
    reply = event.content.get("reply") or {}
    return str(reply.get("text") or spoken(event))[:LINE_LENGTH]


def last_lines(rows: Collection[Relationship]) -> dict[UUID, str]:
    """The last words of each conversation, read for all at once."""
    tail = Event.objects.filter(relationship__in=rows, seq__gt=F("relationship__head_seq") - TAIL)
    found: dict[UUID, str] = {}
    for event in tail.select_related("payload").order_by("relationship", "seq"):
        if line := last_line(as_recorded(event)):
            found[event.relationship_id] = line
    return found


def current_nodes(rows: Collection[Relationship]) -> Iterable[tuple[UUID, str | None]]:
    return FlowRun.objects.filter(pk__in=[row.pk for row in rows]).values_list("pk", "node_id")


def dialogue_states(rows: Collection[Relationship]) -> Iterable[tuple[UUID, str | None]]:
    return Dialogue.objects.filter(pk__in=[row.pk for row in rows]).values_list("pk", "conversation_state__state")


def last_operations(rows: Collection[Relationship]) -> Iterable[tuple[UUID, str | None]]:
    """The operation of the newest step, the older ones first; an erased step has none."""
    steps = Event.objects.filter(relationship__in=rows, type=TAKEN, seq__gt=F("relationship__head_seq") - TAIL)
    for step in steps.select_related("payload").order_by("relationship", "seq"):
        yield step.relationship_id, as_recorded(step).content.get("operation")


# Where a driven conversation stands, by its driver; one that is not here stands nowhere in particular.
CURRENT: dict[str, Callable[[Collection[Relationship]], Iterable[tuple[UUID, str | None]]]] = {
    Driver.FLOW: current_nodes,
    Driver.ASSISTANT: dialogue_states,
    Driver.WORKFLOW: last_operations,
}
# Of these the parties are not told: steps are withheld from them in the chain, too.
OURS_ALONE = frozenset({Driver.WORKFLOW})


def current_steps(rows: Collection[Relationship]) -> dict[UUID, str | None]:
    """The current node, dialogue state or operation of each driven conversation: one query a driver among them."""
    found: dict[UUID, str | None] = {}
    for driver, look in CURRENT.items():
        if driven := [row for row in rows if row.driver == driver]:
            found.update(look(driven))
    return found


def board(*, participant_id: UUID | None = None, limit: int = PAGE) -> list[Relationship]:
    """Active conversations, soonest to expire first; a participant's own where one is named."""
    rows = relationships().filter(conversation_state=ConversationState.ACTIVE)
    if participant_id is not None:
        rows = rows.filter(parties_include(participant_id))
    return list(rows.order_by("expires_at")[:limit])


def is_watchable(relationship_id: UUID, *, participant_id: UUID | None) -> bool:
    """Whether there is such a conversation; for a participant, one it is a party to."""
    rows = Relationship.objects.filter(pk=relationship_id)
    return (rows.filter(parties_include(participant_id)) if participant_id else rows).exists()


def parties_include(participant_id: UUID) -> Q:
    return Q(initiator=participant_id) | Q(responder=participant_id)


@dataclass(frozen=True, slots=True)
class Changed:
    """The newest event there is, and what events since the mark asked about have changed."""

    mark: int
    relationships: list[Relationship] = field(default_factory=list)
    handoffs: list[Handoff] = field(default_factory=list)


def changed_since(mark: int | None, *, participant_id: UUID | None = None) -> Changed:
    """Everything that changed since the mark of an earlier look; without one only the mark to begin with."""
    newest = Event.objects.aggregate(newest=Max("pk"))["newest"] or 0
    if mark is None or newest == mark:
        return Changed(newest)
    changed = Event.objects.filter(pk__gt=mark - OVERLAP).values("relationship")
    rows = relationships().filter(pk__in=changed)
    if participant_id is not None:
        return Changed(newest, list(rows.filter(parties_include(participant_id))[:CHANGED_LIMIT]))
    queue = Handoff.objects.filter(relationship__in=changed)
    return Changed(newest, list(rows[:CHANGED_LIMIT]), list(queue[:CHANGED_LIMIT]))
