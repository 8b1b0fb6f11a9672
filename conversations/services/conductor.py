"""Posting what was scheduled. Every step is an event under the locks, so a restart loses none and sends none twice.

scheduled ─▶ posted                       a template answers inside the one transaction
scheduled ─▶ thinking ─▶ posted           others answer outside of the locks, under a lease
either    ─▶ postponed, dropped, drafted  guards, owner or responder said otherwise
"""

import logging
from datetime import timedelta
from uuid import UUID

from celery import current_app
from django.utils import timezone

from conversations.domain.threads import RESPONDER_FAILED, ReplyState
from conversations.models import ScheduledReply
from conversations.responders.port import ResponderFailure, reply_from
from conversations.selectors.replies import due_after, reply_request
from conversations.selectors.threads import persona_by
from conversations.services.personas import answers_at_once, responder_of
from conversations.services.posting import Turn, allowed, at_hand, post, postpone, think, withdraw

LEASE = timedelta(seconds=90)
MAX_ATTEMPTS = 3
log = logging.getLogger(__name__)


def post_due_replies() -> int:
    """Carries every due reply one step on; says how many it looked at. Any number of conductors may run at once."""
    looked_at, position, now = 0, None, timezone.now()
    while batch := due_after(position, now=now):
        for _, reply_id in batch:
            try:
                carry_on(reply_id)
            except Exception:  # one that is broken must not keep the others waiting
                log.exception("reply_left_due")
        looked_at, position = looked_at + len(batch), batch[-1]
    return looked_at


def carry_on(reply_id: UUID) -> None:
    """One step of one reply. What a lost wake-up leaves behind is found again when its lease ends."""
    with at_hand(reply_id) as turn:
        attempt = None if turn is None or turn.reply.due_at > turn.now else step(turn)
    if attempt is not None:
        current_app.send_task("conversations.think_reply", args=[str(reply_id), attempt], expires=LEASE.total_seconds())


def step(turn: Turn) -> int | None:
    """Posts, postpones or withdraws; gives the attempt's number where the answer is to be thought of outside."""
    reply = turn.reply
    if reply.state == ReplyState.THINKING and reply.attempts >= MAX_ATTEMPTS:
        withdraw(turn, code=RESPONDER_FAILED, reason="lease_expired")
        return None
    decision = allowed(turn, answer=reply.text)
    if decision is None:
        return None
    persona = persona_by(reply.persona)
    if reply.text is not None:
        post(turn, persona, decision, answer=reply.text)
    elif not answers_at_once(persona):
        return think(turn, decision, lease=LEASE)
    else:
        try:
            post(turn, persona, decision, answer=answer_of(reply))
        except ResponderFailure as failure:
            withdraw(turn, code=RESPONDER_FAILED, reason=failure.code, decision=decision)
    return None


def think_reply(reply_id: UUID, *, attempt: int) -> None:
    """Asks the responder without holding any lock, then posts or keeps what it said."""
    reply = ScheduledReply.objects.select_related("thread").get(pk=reply_id)
    if not is_attempt(reply, attempt) or reply.due_at <= timezone.now():
        return
    try:
        answer = answer_of(reply)
    except ResponderFailure as failure:
        give_up(reply_id, failure, attempt=attempt)
    else:
        finish(reply_id, answer, attempt=attempt)


def finish(reply_id: UUID, answer: str, *, attempt: int) -> None:
    """The second transaction: posts only while the turn is still this attempt's and nothing speaks against it."""
    with at_hand(reply_id) as turn:
        if turn is None or not is_attempt(turn.reply, attempt):
            log.warning("late_answer_discarded")
            return
        decision = allowed(turn, answer=answer)
        if decision is not None:
            post(turn, persona_by(turn.reply.persona), decision, answer=answer)


def give_up(reply_id: UUID, failure: ResponderFailure, *, attempt: int) -> None:
    """Tries again a little later where that may help, and not for ever."""
    with at_hand(reply_id) as turn:
        if turn is None or not is_attempt(turn.reply, attempt):
            return
        if failure.retryable and attempt < MAX_ATTEMPTS:
            postpone(turn, timedelta(seconds=2**attempt), code=RESPONDER_FAILED, reason=failure.code)
        else:
            withdraw(turn, code=RESPONDER_FAILED, reason=failure.code)


def is_attempt(reply: ScheduledReply, attempt: int) -> bool:
    return bool(reply.state == ReplyState.THINKING and reply.attempts == attempt)


def answer_of(reply: ScheduledReply) -> str:
    """What the persona's responder says. Raises `ResponderFailure`."""
    persona = persona_by(reply.persona)
    said = responder_of(persona).respond(request=reply_request(reply, persona, now=timezone.now()))
    return reply_from(said.text, responder=said.responder).text
