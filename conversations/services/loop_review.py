"""From what the detector found to what is done about it: warn, nudge, hand off or close, by policy."""

import logging
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db import transaction

from conversations.domain.closure import ClosureType
from conversations.domain.events import Recorded
from conversations.domain.loops import FOUND, NUDGED, Watch, concerns, confidence_of
from conversations.domain.relationship import OwnerKind
from conversations.domain.workflow_steps import TAKEN
from conversations.models import Relationship
from conversations.selectors.loops import stored_watch, watch_of
from conversations.services import event_store
from conversations.services.closing import SYSTEM, closed
from conversations.services.event_store import NewEvent
from conversations.services.handoff_requests import requested
from guards.loops.findings import Finding
from guards.loops.loop_detection import LoopAnalysis, judge
from guards.loops.resolutions import Escalation, Level, escalate, suggest_resolution
from guards.loops.review import heeded
from guards.selectors.rollout import ConversationPolicy, Feature, policy_for

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Consequence:
    """What an alarm leads to: events to record, the finding it belongs to, what the agent reads, perhaps the end."""

    finding_id: str | None = None
    escalation: Escalation | None = None
    events: list[NewEvent] = field(default_factory=list)
    closes: ClosureType | None = None

    @property
    def hint(self) -> dict[str, Any] | None:
        """A typed hint for the agent; a first warning is for people only."""
        if self.escalation is None or self.escalation.level is Level.WARN:
            return None
        return {
            "type": "loop_hint",
            "finding_id": self.finding_id,
            "level": self.escalation.level.value,
            "hint": self.escalation.hint,
        }


def review(
    relationship: Relationship, recorded: Sequence[Recorded], *, now: datetime, ending: bool = False
) -> dict[str, Any]:
    """Judges what the recorded messages gave rise to; adds to the answer what the agent should read.

    Steps of a workflow were judged by their driver. Nothing is found while a person has the conversation.
    """
    said = {event.seq for event in recorded if event.type != TAKEN and concerns(event)}
    watch = stored_watch(relationship) if said else None
    if watch is None or not watch.findings or watch.seq not in said:
        return {}
    if ending or relationship.owner_kind != OwnerKind.BOT:
        return {}
    try:
        with transaction.atomic():
            return acted_on(relationship, [Finding.from_dict(raw) for raw in watch.findings], now=now)
    except Exception:  # analyses report: the message stands, whatever becomes of its review
        log.exception("loop_review_failed", extra={"relationship": str(relationship.pk)})
        relationship.refresh_from_db()
        return {}


def acted_on(relationship: Relationship, findings: list[Finding], *, now: datetime) -> dict[str, Any]:
    """Records the alarm and carries out what the policy wants done about it."""
    policy = policy_for(relationship.pk)
    findings = heeded(findings, policy.document.workflow)
    analysis = judge(findings, policy.document.workflow)
    done = consequence(relationship, watch_of(relationship), analysis, findings, policy, unit="event")
    for new in done.events:
        event_store.append(relationship, new, now=now)
    if done.closes is not None:
        closed(relationship, closure_type=done.closes, actor=SYSTEM, now=now)
    return {"loop_hint": done.hint} if done.hint else {}


def consequence(
    relationship: Relationship,
    watch: Watch,
    analysis: LoopAnalysis,
    findings: Sequence[Finding],
    policy: ConversationPolicy,
    *,
    unit: str,
) -> Consequence:
    """What this analysis leads to; a loop already reported as often as the policy says is not reported again."""
    if not analysis.has_loop or analysis.rule is None:
        return Consequence()
    config = policy.document.workflow
    can_hand_off = Feature.LOOP_CLOSE not in policy.features
    escalation = escalate(analysis, watch.run.alarms + 1, config, can_hand_off=can_hand_off)
    level = carried_out(escalation.level, policy)
    escalation = Escalation(level, escalation.hint, escalation.alarms)
    known = watch.run.alarms >= config.max_retries and analysis.rule.value in watch.rules
    if known and level is Level.NUDGE:
        return Consequence(relationship.loop_finding and str(relationship.loop_finding), escalation)
    finding_id = str(uuid.uuid4())
    request = loop_request(relationship, analysis) if level is Level.HAND_OFF else None
    found = next(f for f in findings if f.rule is analysis.rule and f.evidence == analysis.affected_steps)
    payload = {
        **found.as_dict(),
        "confidence": str(confidence_of(found)),
        "finding_id": finding_id,
        "unit": unit,
        "level": level.value,
        "alarms": escalation.alarms,
        "policy_version": policy.version,
        "handoff_id": request and request.payload["handoff_id"],
    }
    events = [NewEvent(FOUND, SYSTEM, payload)]
    if level is Level.NUDGE:
        ways = [way.strategy for way in suggest_resolution(analysis)]
        events.append(
            NewEvent(NUDGED, SYSTEM, {"finding_id": finding_id, "hint": escalation.hint, "resolutions": ways})
        )
    if request is not None:
        events.append(request)
    return Consequence(finding_id, escalation, events, ClosureType.ERROR if level is Level.CLOSE else None)


def carried_out(level: Level, policy: ConversationPolicy) -> Level:
    """The measure the policy lets this conversation take: without a feature for more, a nudge is the strongest."""
    if level is Level.HAND_OFF and Feature.LOOP_HAND_OFF not in policy.features:
        return Level.NUDGE
    return level


def loop_request(relationship: Relationship, analysis: LoopAnalysis) -> NewEvent:
    because = {"code": "loop", "rule": str(analysis.rule)}
    return requested(relationship, reason=f"Loop: {analysis.detail}", actor=SYSTEM, because=because)
