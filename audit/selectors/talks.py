"""Conversations as the roll-ups see them: many at once, in a fixed number of queries."""

import json
from collections import defaultdict
from collections.abc import Collection, Iterable
from typing import Any
from uuid import UUID

from django.db.models import Q

from audit.metrics.talks import Talk
from audit.selectors.policy_versions import version_in_force
from conversations.domain import loops, threads, turns
from conversations.domain.events import ERASED, Recorded
from conversations.domain.fold import restored
from conversations.domain.relationship import Driver
from conversations.models import Event, EventPayload, FlowRun, Relationship, TurnLog
from flows.engine.runtime import Mode, Status, TurnEntry

COLUMNS = (
    "pk",
    "channel",
    "driver",
    "flow_slug",
    "created_at",
    "closed_at",
    "closure_type",
    "outcome",
    "conversation_depth",
    "rating",
)
# Only these payloads hold something that is counted; no visitor's words are read for the others.
WITH_FIGURES = Q(
    event__type__in=[threads.SKIPPED, threads.DROPPED, threads.POSTPONED, threads.DRAFTED, loops.FOUND, ERASED]
) | Q(event__type=turns.TURN, event__relationship__driver=Driver.ASSISTANT)


def talks_of(ids: Collection[UUID]) -> dict[UUID, Talk]:
    """Each of these conversations as it now is."""
    statuses = dict(FlowRun.objects.filter(pk__in=ids).values_list("pk", "status"))
    logs, events, version_at = logs_of(ids), events_of(ids), version_in_force()
    rows = Relationship.objects.filter(pk__in=ids)
    return {
        pk: Talk(
            channel=channel,
            driver=driver,
            flow=flow or "",
            begun=begun,
            closed=closed,
            closure_type=closure_type,
            outcome=outcome,
            depth=depth,
            rating=rating,
            policy_version=version_at(begun),
            status=Status(statuses[pk]) if pk in statuses else None,
            log=logs.get(pk, ()),
            events=restored(events.get(pk, ())),
        )
        for pk, channel, driver, flow, begun, closed, closure_type, outcome, depth, rating in rows.values_list(*COLUMNS)
    }


def logs_of(ids: Collection[UUID]) -> dict[UUID, list[TurnEntry]]:
    """Turn logs without the visitors' words."""
    logs: dict[UUID, list[TurnEntry]] = defaultdict(list)
    rows = TurnLog.objects.filter(relationship__in=ids).order_by("relationship", "line")
    names = ("relationship_id", "turn_index", "node_id", "mode", "entry__gatesGained")
    for pk, turn_index, node_id, mode, gates in rows.values_list(*names):
        logs[pk].append(TurnEntry(turn_index, node_id, Mode(mode), gates_gained=tuple(gates or ())))
    return logs


def events_of(ids: Collection[UUID]) -> dict[UUID, list[Recorded]]:
    """Headers in order, with the few payloads that count."""
    payloads = payloads_with_figures(ids)
    events: dict[UUID, list[Recorded]] = defaultdict(list)
    rows = Event.objects.filter(relationship__in=ids).order_by("relationship", "seq")
    for pk, event_id, seq, kind, at, actor in rows.values_list("relationship_id", "pk", "seq", "type", "at", "actor"):
        events[pk].append(Recorded(seq, kind, at, actor, payloads.get(event_id), hash=""))
    return events


def payloads_with_figures(ids: Collection[UUID]) -> dict[int, dict[str, Any]]:
    texts: Iterable[tuple[int, str]] = EventPayload.objects.filter(
        WITH_FIGURES, event__relationship__in=ids
    ).values_list("event_id", "text")
    return {event_id: json.loads(text) for event_id, text in texts}
