"""A visitor's turn in a driven conversation, and an operator's hand in it."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.utils import timezone

from conversations.access import Caller
from conversations.domain.errors import ConversationError, InvalidTermsError
from conversations.domain.handoff import Operator
from conversations.domain.messages import Inbound, Kind
from conversations.domain.relationship import Driver, OwnerKind
from conversations.domain.turns import FACTS_CHANGED, MIGRATED
from conversations.drivers.flow import NOTHING, WHATEVER, QuestionMovedError, asked_in
from conversations.models import ApiKey, Relationship
from conversations.selectors.flow_runs import flow_of, state_of
from conversations.selectors.relationships import relationship_for
from conversations.services import event_store
from conversations.services.closing import open_conversation
from conversations.services.event_store import NewEvent
from conversations.services.ingest import ingest
from conversations.services.recognition import understood
from flows.engine.migration import plan_migration
from flows.engine.outcome import Reply
from flows.engine.runner import UnknownNode, change_facts, wanted_facts
from flows.engine.runtime import RuntimeState
from flows.engine.steps import OperatorAct
from flows.selectors.compiled import compiled_version
from flows.selectors.flows import version_by
from flows.services.extraction import read_reply

REREADINGS = 2


class MigrationRefusedError(ConversationError):
    code = "migration_refused"
    title = "The conversation cannot move to that version"


def take_turn(
    *,
    relationship_id: UUID,
    message_id: str,
    content: Mapping[str, Any],
    caller: ApiKey,
    fingerprint: str | None = None,
) -> dict[str, Any]:
    """One message of the visitor. Words are read before any lock is taken: a model may think for seconds.

    Where the flow has gone on meanwhile they are read again for the question now open.
    """
    relationship = relationship_for(caller, relationship_id)
    told = {**content, "message_id": message_id}
    inbound = Inbound(
        Kind.TURN, relationship.pk, relationship.responder.handle, told, dedupe=message_id, fingerprint=fingerprint
    )
    for _ in range(REREADINGS):
        try:
            return answer_to(inbound, reading_of(relationship, content), caller=caller)
        except QuestionMovedError:
            relationship = relationship_for(caller, relationship_id)
    last = {**reading_of(relationship, content), "read_for": WHATEVER}
    return answer_to(inbound, last, caller=caller)


def answer_to(inbound: Inbound, reading: Mapping[str, Any], *, caller: ApiKey) -> dict[str, Any]:
    return ingest(replace(inbound, content={**inbound.content, **reading}), caller=caller).answer


def reading_of(relationship: Relationship, content: Mapping[str, Any]) -> dict[str, Any]:
    """What the driver takes in beside the message itself, and for which question that was read."""
    if relationship.driver == Driver.ASSISTANT:
        # while a person has it nobody acts on what it means
        return {"understood": understood(content, by_model=relationship.owner_kind == OwnerKind.BOT)}
    if relationship.driver != Driver.FLOW:
        return {}
    text, facts = content.get("text") or "", content.get("facts")
    if facts is not None or not text:
        return {"reply": Reply(text, dict(facts or {})), "read_for": WHATEVER}
    if relationship.owner_kind != OwnerKind.BOT:
        return {"reply": Reply(text), "read_for": NOTHING}
    state = state_of(relationship)
    wanted = wanted_facts(flow_of(relationship), state)
    return {"reply": read_reply(text, wanted, now=timezone.now()), "read_for": asked_in(state)}


def set_facts(
    *, relationship_id: UUID, set_: Mapping[str, Any], remove: tuple[str, ...], operator: Operator
) -> dict[str, Any]:
    """An operator sets or removes facts; the next decision sees them."""
    if not set_ and not remove:
        raise InvalidTermsError(field="set", code="required", message="Name a fact to set or to remove.")
    return steer(relationship_id=relationship_id, act=OperatorAct(dict(set_), remove), operator=operator)


def steer(*, relationship_id: UUID, act: OperatorAct, operator: Operator) -> dict[str, Any]:
    """An operator's hand while the bot goes on: facts, nodes skipped for good, attempts granted."""
    with open_conversation(relationship_id) as (relationship, now):
        state = state_of(relationship) or RuntimeState()
        try:
            changed = change_facts(flow_of(relationship), state, act)
        except UnknownNode as problem:
            raise InvalidTermsError(field="node", code="unknown_node", message=str(problem)) from problem
        payload = {"steps": [changed.step.to_json()], "operator": operator.username}
        event_store.append(relationship, NewEvent(FACTS_CHANGED, operator.actor, payload), now=now)
        return {"gatesGained": list(changed.gates_gained), "gatesLost": list(changed.gates_lost)}


def migrate(
    *, relationship_id: UUID, version: int, mapping: Mapping[str, str], dry_run: bool, caller: Caller
) -> dict[str, Any]:
    """Moves a running conversation to another version of its flow (F21), or only shows what that would do."""
    with open_conversation(relationship_id, caller=caller) as (relationship, now):
        old = flow_of(relationship)
        target = version_by(str(relationship.flow_slug), version)
        new = compiled_version(target.flow.slug, target.version, target.hash)
        plan = plan_migration(state_of(relationship) or RuntimeState(), old, new, mapping)
        shown = {**plan.to_json(), "from": relationship.flow_version, "to": version, "dry_run": dry_run}
        if dry_run:
            return shown
        if plan.state is None:
            raise MigrationRefusedError("Keep or map every node that was used.", problems=list(plan.problems))
        payload = {
            "slug": relationship.flow_slug,
            "from_version": relationship.flow_version,
            "from_hash": relationship.flow_hash,
            "version": version,
            "hash": target.hash,
            "mapping": dict(mapping),
        }
        event_store.append(relationship, NewEvent(MIGRATED, caller.actor, payload), now=now)
        return shown
