"""Personas answer in a thread (seed 004): the guards decide about each message, and an allowed reply is scheduled."""

import uuid
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from conversations.domain.messages import Inbound
from conversations.domain.relationship import OwnerKind, check_open
from conversations.domain.threads import CONDUCTOR, MESSAGE, SCHEDULED, SKIPPED
from conversations.domain.times import to_text
from conversations.domain.turns import OWNED_BY_HUMAN
from conversations.drivers.base import Decided
from conversations.models import PersonaThread, Relationship
from conversations.selectors.threads import Look, look_at_message
from conversations.services.event_store import NewEvent
from conversations.services.guard_scope import enter_guard_scope, log_refusal
from guards.chain import Outcome, ThreadDecision, decide
from guards.selectors.policy import policy_in_force


class ThreadDriver:
    def check(self, relationship: Relationship, message: Inbound, *, now: datetime) -> None:
        check_open(relationship.standing, now=now)

    def decide(self, relationship: Relationship, message: Inbound, *, now: datetime) -> Decided:
        """Looks and records inside the guard scope: no other thread moves in between."""
        enter_guard_scope()
        policy, said = policy_in_force(), message.content
        threads = policy.document.threads
        thread = PersonaThread.objects.get(pk=relationship.pk)
        look = Look(among=said["among"], own_seq=said["own_seq"])
        context = look_at_message(thread, said["heard"], look, policy=threads, now=now)
        decision = unless_owned(relationship, decide(context, threads))
        log_refusal(decision.code, decision.verdicts)
        # the echo of our own post is no turn of its own: the post was one, and is what an answer answers
        turn = [] if context.own_identity else [NewEvent(MESSAGE, said["actor"], said["message"])]
        verdict = {
            "event_id": context.event_id,
            "answers_seq": relationship.head_seq + 1 if turn else said["own_seq"],
            "code": decision.code,
            "reason": decision.reason,
            "verdicts": [verdict.to_json() for verdict in decision.verdicts],
            "eligible": list(decision.eligible),
            "context": context.to_json(),
            "policy_version": policy.version,
        }
        made = recorded(relationship, decision, verdict, now=now)
        answer = answered(decision, verdict, turns=thread.turns + len(turn))
        return Decided([*turn, made], answer)


def unless_owned(relationship: Relationship, decision: ThreadDecision) -> ThreadDecision:
    """While a person has the conversation no persona speaks, whatever the guards say."""
    if relationship.owner_kind == OwnerKind.BOT:
        return decision
    return replace(
        decision,
        action=Outcome.SKIP,
        code=OWNED_BY_HUMAN,
        reason="A human owns this conversation",
        eligible=(),
        persona=None,
        delay_ms=None,
    )


def recorded(
    relationship: Relationship, decision: ThreadDecision, verdict: dict[str, Any], *, now: datetime
) -> NewEvent:
    """The decision as an event; a reply's has everything the conductor needs."""
    if decision.delay_ms is None:
        return NewEvent(SKIPPED, CONDUCTOR, verdict)
    scheduled = {
        "reply_id": str(uuid.uuid4()),
        "persona": decision.persona,
        "delay_ms": decision.delay_ms,
        "due_at": to_text(now + timedelta(milliseconds=decision.delay_ms)),
        "owner_version": relationship.owner_version,
    }
    return NewEvent(SCHEDULED, CONDUCTOR, {**verdict, **scheduled})


def answered(decision: ThreadDecision, verdict: dict[str, Any], *, turns: int) -> dict[str, Any]:
    """The contract's answer; only here are milliseconds seconds."""
    return {
        "action": decision.action.value,
        "code": decision.code,
        "reason": decision.reason,
        "verdicts": verdict["verdicts"],
        "eligible": verdict["eligible"],
        "persona": decision.persona,
        "delay_seconds": None if decision.delay_ms is None else decision.delay_ms / 1000,
        "turns": turns,
    }
