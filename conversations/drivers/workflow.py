"""An agent reports the steps of its workflow (seed 003) and learns whether to go on."""

from dataclasses import asdict, replace
from datetime import datetime

from conversations.domain.messages import Inbound
from conversations.domain.relationship import check_automation, check_open
from conversations.domain.workflow_steps import TAKEN, kept_step, payload_of
from conversations.drivers.base import Decided
from conversations.models import Relationship
from conversations.selectors.loops import watch_of
from conversations.services.event_store import NewEvent
from conversations.services.loop_review import consequence
from guards.loops.loop_detection import with_truncation
from guards.loops.review import asked_for, review_step
from guards.loops.workflow import WorkflowStep
from guards.selectors.rollout import policy_for


class WorkflowDriver:
    def check(self, relationship: Relationship, message: Inbound, *, now: datetime) -> None:
        """A step is our side's automation: a person who has the conversation is not worked around."""
        check_open(relationship.standing, now=now)
        check_automation(relationship.standing)

    def decide(self, relationship: Relationship, message: Inbound, *, now: datetime) -> Decided:
        policy = policy_for(relationship.pk)
        config = policy.document.workflow
        watch = watch_of(relationship)
        step, request = step_in(message, since=relationship.last_activity_at, now=now), message.content["request"]
        covered = asked_for(watch.run.state, request).covered_in(step)
        kept = replace(kept_step(step, limit=config.max_response_length), covered=tuple(sorted(covered)))
        _, review = review_step(watch.run, step, config, kept=kept, original_request=request)
        done = consequence(relationship, watch, review.analysis, review.findings, policy, unit="step")
        payload = payload_of(
            str(message.dedupe),
            step,
            with_truncation(kept, review.processed.truncation),
            review.decision,
            request=request,
            version=policy.version,
        )
        answer = {
            **review.as_dict(),
            "escalation": asdict(done.escalation or review.escalation),
            "finding_id": done.finding_id,
        }
        taken = NewEvent(TAKEN, relationship.initiator.actor, {**payload, "step_index": review.step_index})
        return Decided([taken, *done.events], answer, closes=done.closes)


def step_in(message: Inbound, *, since: datetime, now: datetime) -> WorkflowStep:
    """The step as it was reported; the time since the last sign of life is what it took."""
    told = message.content
    return WorkflowStep(
        operation=told["operation"],
        parameters=told["parameters"],
        response=told["response"],
        finish_reason=told["finish_reason"],
        error=told["error"],
        seconds=max(0, int((now - since).total_seconds() * 1000)) / 1000,
    )
