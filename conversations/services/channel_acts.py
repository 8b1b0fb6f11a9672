"""What is done about what was heard. Every silence has its reason."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import timezone

from conversations.channels.heard import Heard, Nothing, Rated, Said, Spoken, StatusTold, ThreadSaid
from conversations.channels.spoken import VIA_CHANNEL
from conversations.domain import handoff as acts
from conversations.domain.closure import ClosureType
from conversations.domain.errors import ConversationClosedError, ConversationError, ConversationExpiredError
from conversations.domain.events import OBSERVED
from conversations.domain.handoff import Operator
from conversations.domain.relationship import ConversationState, OwnerKind
from conversations.models import Channel, ChannelConversation, Delivery, MessageReceipt, Relationship
from conversations.selectors.channels import current_conversation
from conversations.selectors.handoffs import open_handoff
from conversations.selectors.relationships import locked
from conversations.services import event_store, handoff, turns
from conversations.services.channel_conversations import RESOLVED, caller_of, conversation_for
from conversations.services.channel_threads import thread_answer
from conversations.services.closing import closed
from conversations.services.echoes import is_our_own
from conversations.services.event_store import NewEvent
from conversations.services.ratings import rate_conversation
from conversations.services.receipts import answer_given, keep_answer


@dataclass(frozen=True, slots=True)
class Outcome:
    """How a delivery ended: what was made of it, and why nothing was said where nothing was."""

    status: str
    verdict: str
    reason: str = ""
    relationship: Relationship | None = None


def ignored(reason: str, relationship: Relationship | None = None) -> Outcome:
    return Outcome(Delivery.Status.IGNORED, "ignored", reason, relationship)


def act_on(channel: Channel, heard: Heard) -> Outcome:
    """Does what is to be done; a refusal by the conversation's own rules is an outcome, not a failure."""
    try:
        return ACTS[type(heard)](channel, heard)
    except ConversationError as refusal:
        return Outcome(Delivery.Status.IGNORED, "refused", f"{refusal.code}: {refusal.detail}"[:300])


def left_alone(_channel: Channel, heard: Nothing) -> Outcome:
    return ignored(heard.reason)


def said(channel: Channel, heard: Said) -> Outcome:
    """A visitor's turn. Safe to repeat: a message id is answered once, in whichever episode it fell."""
    row = current_conversation(channel, heard.conversation)
    if row is None and heard.silence:
        return ignored(heard.silence)
    receipt = earlier_receipt(channel, heard)
    if receipt is not None:
        return answered(receipt.relationship, receipt.answer, heard)
    if heard.silence and row is not None and row.relationship.owner_kind == OwnerKind.BOT:
        remember_status(row, heard.status)
        return observed(channel, row.relationship, heard, speaker=heard.contact.id, reason=heard.silence)
    try:
        return turn_taken(channel, heard)
    except (ConversationClosedError, ConversationExpiredError):  # it ended under our hands: the follow-up answers
        return turn_taken(channel, heard)


def turn_taken(channel: Channel, heard: Said) -> Outcome:
    row = conversation_for(channel, heard.conversation, heard.contact, status=heard.status)
    click = {"meaning": heard.meaning, "target_id": heard.target_id} if heard.meaning else {}
    answer = turns.take_turn(
        relationship_id=row.relationship_id,
        message_id=heard.message_id,
        content={"text": heard.text, **click},
        caller=caller_of(channel),
    )
    return answered(row.relationship, answer, heard)


def answered(relationship: Relationship, answer: dict[str, Any], heard: Said) -> Outcome:
    """The turn's answer travels by its event and the outbox; here it only has to be accounted for."""
    silence = heard.silence or answer.get("suppressed") or ("" if answer.get("reply") else "nothing_to_say")
    if not silence:
        return Outcome(Delivery.Status.WORKED, "replied", relationship=relationship)
    reason = silence if not answer.get("status") else f"{silence} (status {answer['status']})"
    return Outcome(Delivery.Status.WORKED, "recorded", reason, relationship)


def earlier_receipt(channel: Channel, heard: Said) -> MessageReceipt | None:
    receipts = MessageReceipt.objects.filter(
        relationship__channel_conversation__channel=channel,
        relationship__channel_conversation__external_id=heard.conversation,
        message_id=heard.message_id,
    )
    return receipts.select_related("relationship").first()


def observed(
    channel: Channel, relationship: Relationship, heard: Said | Spoken, *, speaker: str, reason: str
) -> Outcome:
    """Keeps words that are not to be answered in the transcript, once."""
    with transaction.atomic():
        relationship = locked(relationship.pk)
        now = timezone.now()
        open_and_new = relationship.conversation_state == ConversationState.ACTIVE and not answer_given(
            relationship, heard.message_id
        )
        if open_and_new:
            payload = {"message_id": heard.message_id, "speaker": speaker, "text": heard.text, "reason": reason}
            event_store.append(relationship, NewEvent(OBSERVED, channel.actor, payload), now=now)
            keep_answer(relationship, heard.message_id, {"suppressed": reason}, now=now)
    return Outcome(Delivery.Status.WORKED, "observed", reason, relationship)


def spoken(channel: Channel, heard: Spoken) -> Outcome:
    """Our own words coming back are known as ours; a person's words are a takeover, at once."""
    if is_our_own(channel, heard.conversation, heard.message_id, heard.text):
        return ignored("own_message")
    if heard.person is None:
        return ignored("bot_message")
    row = conversation_for(channel, heard.conversation, heard.contact, status=heard.status)
    person = Operator(username=heard.person, actor=channel.actor)
    held = open_handoff(row.relationship)
    if held is not None and held.operator not in (None, person.username):
        reason = f"held_by {held.operator}"
        return observed(channel, row.relationship, heard, speaker=person.username, reason=reason)
    verdict = "recorded"
    if held is None or held.operator is None:
        taken = "A person wrote in the channel."
        held = handoff.take_over(relationship_id=row.relationship_id, reason=taken, operator=person, via=VIA_CHANNEL)
        verdict = "taken_over"
    relationship = locked(row.relationship_id)
    told = {"text": heard.text, "message_id": heard.message_id, "via": VIA_CHANNEL}
    handoff.acted(relationship, held, acts.REPLIED, person, now=timezone.now(), **told)
    return Outcome(Delivery.Status.WORKED, verdict, "a_person_speaks", relationship)


def status_told(channel: Channel, heard: StatusTold) -> Outcome:
    """Resolved over there is closed here; returned to the bot after that is a new episode."""
    row = current_conversation(channel, heard.conversation)
    if row is None:
        return ignored("no_conversation")
    if heard.status == "pending" and row.remote_status == RESOLVED:
        reopened = conversation_for(channel, heard.conversation, heard.contact, status=heard.status)
        return Outcome(Delivery.Status.WORKED, "reopened", "status_pending", reopened.relationship)
    remember_status(row, heard.status)
    relationship = locked(row.relationship_id)
    if (heard.previous, heard.status) == ("open", "pending") and relationship.owner_kind != OwnerKind.BOT:
        return given_back(channel, relationship)
    if heard.status != RESOLVED:
        return ignored(f"status_{heard.status}", relationship)
    if relationship.conversation_state != ConversationState.ACTIVE:
        return ignored("already_closed", relationship)
    closed(relationship, closure_type=ClosureType.COMPLETED, actor=channel.actor, now=timezone.now())
    return Outcome(Delivery.Status.WORKED, "closed", "status_resolved", relationship)


def given_back(channel: Channel, relationship: Relationship) -> Outcome:
    """A person over there returned the conversation to the bot: it answers again, or the reason why not is kept."""
    with transaction.atomic():
        held = open_handoff(relationship)
        if held is None or held.operator is None:
            taker = Operator(username="somebody", actor=channel.actor)
            reason = "Returned in the channel."
            held = handoff.take_over(relationship_id=relationship.pk, reason=reason, operator=taker, via=VIA_CHANNEL)
        holder = Operator(username=str(held.operator), actor=channel.actor)
        handoff.give_back(handoff_id=held.pk, given=handoff.GivenBack(note="Returned in the channel."), operator=holder)
    return Outcome(Delivery.Status.WORKED, "returned", "status_pending", relationship)


def remember_status(row: ChannelConversation, status: str) -> None:
    ChannelConversation.objects.filter(pk=row.pk).update(remote_status=status)


def rated(channel: Channel, heard: Rated) -> Outcome:
    row = current_conversation(channel, heard.conversation)
    if row is None:
        return ignored("no_conversation")
    rate_conversation(
        relationship_id=row.relationship_id, score=heard.score, comment=heard.comment, caller=caller_of(channel)
    )
    return Outcome(Delivery.Status.WORKED, "rated", "", row.relationship)


def thread_said(channel: Channel, heard: ThreadSaid) -> Outcome:
    """A message in a thread of personas: the guards say whether one of them answers."""
    given = thread_answer(channel, heard)
    if given.answer["action"] == "reply":
        reason = f"{given.answer['persona']} in {given.answer['delay_seconds']} s"
        return Outcome(Delivery.Status.WORKED, "reply_scheduled", reason, given.relationship)
    return Outcome(Delivery.Status.WORKED, "skipped", str(given.answer["code"]), given.relationship)


ACTS: dict[type, Callable[[Channel, Any], Outcome]] = {
    Nothing: left_alone,
    Said: said,
    Spoken: spoken,
    StatusTold: status_told,
    Rated: rated,
    ThreadSaid: thread_said,
}
# These think, or speak for themselves about being repeated; the others happen together with their delivery's end.
REPEATABLE = (Said, ThreadSaid)
