"""What sockets are told, spelled and encoded once for all of them."""

import json
from collections.abc import Collection, Mapping
from typing import Any
from uuid import UUID

from conversations.domain.disclosure import for_party
from conversations.domain.events import Recorded
from conversations.models import Handoff, Relationship
from conversations.selectors.handoffs import handoff_json
from conversations.selectors.summaries import OURS_ALONE, current_steps, last_lines, summary_json
from conversations.services.broadcast import topics
from conversations.services.broadcast.items import Item

QUEUE_KEY = "queue."


def encoded(message: Mapping[str, Any]) -> str:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":"))


def event_text(relationship_id: UUID, event: Recorded) -> str:
    """An event as sockets receive it."""
    message = {"type": "event", "seq": event.seq, "relationship": str(relationship_id), "event": event.as_json()}
    return encoded(message)


def event_items(relationship: Relationship, event: Recorded) -> list[Item]:
    """The event for whoever watches: one item for everybody, unless the parties may not read all of it."""
    ours, theirs = topics.relationship(relationship.pk), topics.party(relationship.pk)
    shown = for_party(event)
    told = [((ours, theirs), event)] if shown is event else [((ours,), event), ((theirs,), shown)]
    return [Item(to, f"event.{event.seq}", event.seq, event_text(relationship.pk, each)) for to, each in told]


def news_item(relationship_id: UUID, seq: int) -> Item:
    """Says only how far the chain goes: a watcher that is behind reads the rest."""
    return Item((topics.relationship(relationship_id), topics.party(relationship_id)), "news", seq, "")


def summary_for(relationship: Relationship, *, last_line: str, current: str | None) -> list[Item]:
    """A conversation as the board shows it; its parties hear the same, unless they may not read all of it."""
    mine = tuple(map(topics.participant, (relationship.initiator_id, relationship.responder_id)))
    if current is None or relationship.driver not in OURS_ALONE:
        return [summary_item(relationship, (topics.LIVE, *mine), last_line=last_line, current=current)]
    return [
        summary_item(relationship, (topics.LIVE,), last_line=last_line, current=current),
        summary_item(relationship, mine, last_line=last_line, current=None),
    ]


def summary_item(relationship: Relationship, to: tuple[str, ...], *, last_line: str, current: str | None) -> Item:
    told = {"type": "summary", **summary_json(relationship, last_line=last_line, current=current)}
    return Item(to, f"summary.{relationship.pk}", relationship.head_seq, encoded(told))


def summary_items(rows: Collection[Relationship]) -> list[Item]:
    """The same for many, with what the rows do not hold read for all at once."""
    lines, steps = last_lines(rows), current_steps(rows)
    return [
        item for row in rows for item in summary_for(row, last_line=lines.get(row.pk, ""), current=steps.get(row.pk))
    ]


def queue_item(handoff: Handoff) -> Item:
    told = {"type": "queue", "handoff": handoff_json(handoff)}
    return Item((topics.INBOX,), f"{QUEUE_KEY}{handoff.pk}", handoff.version, encoded(told))
