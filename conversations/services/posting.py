"""What can become of a reply at the moment of posting: one event each, under both locks."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from conversations.domain import threads as names
from conversations.domain.relationship import OwnerKind
from conversations.domain.times import to_text
from conversations.domain.turns import OWNED_BY_HUMAN
from conversations.models import Persona, Relationship, ScheduledReply
from conversations.selectors.relationships import locked
from conversations.selectors.threads import look_at_posting
from conversations.services import event_store
from conversations.services.closing import expire_if_due
from conversations.services.event_store import NewEvent
from conversations.services.guard_scope import enter_guard_scope, log_refusal
from guards.chain import PostingDecision, check_posting
from guards.policies.verdict import Action
from guards.selectors.policy import policy_in_force

UNASKED = PostingDecision(Action.SKIP, None, "", ())


@dataclass(frozen=True, slots=True)
class Turn:
    """A reply that is still open, with its conversation locked and the guard scope entered."""

    relationship: Relationship
    reply: ScheduledReply
    now: datetime


@contextmanager
def at_hand(reply_id: UUID) -> Iterator[Turn | None]:
    """The reply under both locks; None when it is settled, as all are when their conversation ends."""
    thread_id = ScheduledReply.objects.values_list("thread_id", flat=True).get(pk=reply_id)
    with transaction.atomic():
        relationship = locked(thread_id)
        enter_guard_scope()
        now = timezone.now()
        expire_if_due(relationship, now=now)
        reply = ScheduledReply.objects.select_related("thread").get(pk=reply_id)
        yield Turn(relationship, reply, now) if reply.state in names.OPEN else None


def allowed(turn: Turn, *, answer: str | None) -> PostingDecision | None:
    """Asks owner and guards again. A refusal is recorded, with the answer where there is one already."""
    if turn.relationship.owner_version != turn.reply.owner_version:
        owned = turn.relationship.owner_kind != OwnerKind.BOT
        code = OWNED_BY_HUMAN if owned else names.OWNER_CHANGED
        withdraw(turn, code=code, reason="The conversation changed hands", answer=answer)
        return None
    policy = policy_in_force()
    context = look_at_posting(turn.reply, policy=policy.document.threads, now=turn.now)
    decision = check_posting(context, turn.reply.persona, policy.document.threads)
    log_refusal(decision.code, decision.verdicts)
    if decision.action is Action.ALLOW:
        return decision
    if decision.wait_ms is not None:
        wait = timedelta(milliseconds=decision.wait_ms)
        postpone(turn, wait, code=str(decision.code), reason=decision.reason, decision=decision, answer=answer)
    else:
        withdraw(turn, code=str(decision.code), reason=decision.reason, decision=decision, answer=answer)
    return None


def post(turn: Turn, persona: Persona, decision: PostingDecision, *, answer: str) -> None:
    """The persona speaks. What leaves through a channel leaves by this event's outbox row."""
    told = {"name": persona.name, "text": answer, "owner_version": turn.relationship.owner_version}
    record(turn, names.REPLIED, decision, actor=persona.actor, **told)


def think(turn: Turn, decision: PostingDecision, *, lease: timedelta) -> int:
    """The responder is asked outside of the locks until the lease ends; gives the number of the attempt."""
    attempt = turn.reply.attempts + 1
    record(turn, names.THINKING, decision, attempt=attempt, lease_until=to_text(turn.now + lease))
    return attempt


def postpone(
    turn: Turn,
    wait: timedelta,
    *,
    code: str,
    reason: str,
    decision: PostingDecision = UNASKED,
    answer: str | None = None,
) -> None:
    """Later; an answer that is there already is kept for then."""
    due_at = to_text(turn.now + wait)
    record(turn, names.POSTPONED, decision, code=code, reason=reason, text=answer, due_at=due_at)


def withdraw(
    turn: Turn, *, code: str, reason: str, decision: PostingDecision = UNASKED, answer: str | None = None
) -> None:
    """Never; an answer that is there already stays as a draft for whoever has the conversation."""
    type_, words = (names.DROPPED, {}) if answer is None else (names.DRAFTED, {"text": answer})
    record(turn, type_, decision, code=code, reason=reason, **words)


def record(turn: Turn, type_: str, decision: PostingDecision, *, actor: str = names.CONDUCTOR, **told: Any) -> None:
    reply = turn.reply
    payload = {
        "reply_id": str(reply.pk),
        "event_id": reply.answers_event,
        "answers_seq": reply.answers_seq,
        "persona": reply.persona,
        "verdicts": [verdict.to_json() for verdict in decision.verdicts],
        "policy_version": policy_in_force().version,
        **told,
    }
    event_store.append(turn.relationship, NewEvent(type_, actor, payload), now=turn.now)
