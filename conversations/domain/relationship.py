"""Terms and invariants of a relationship (seed 000, R1-R6). Invariants raise."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Any

from conversations.domain.errors import (
    ConversationClosedError,
    ConversationExpiredError,
    IntentDirectionError,
    InvalidTermsError,
    MaxDepthExceededError,
    NotAPartyError,
    OutsideAppointmentError,
    OwnedByHumanError,
    ResponseDirectionError,
)
from conversations.domain.times import to_text

APPOINTMENT_LEVELS = frozenset({3, 4, 5})
MICROHOUR = Decimal("0.000001")


class ConversationState(StrEnum):
    ACTIVE = "active"
    CLOSED = "closed"


class OwnerKind(StrEnum):
    BOT = "bot"
    QUEUE = "queue"
    OPERATOR = "operator"


class Driver(StrEnum):
    RELAY = "relay"
    FLOW = "flow"
    ASSISTANT = "assistant"
    WORKFLOW = "workflow"


@dataclass(frozen=True, slots=True)
class Appointment:
    start: datetime
    end: datetime
    id: str | None = None
    subject: str | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """What the invariants look at: the relationship as its columns say, at this moment."""

    initiator: str
    responder: str
    closed: bool
    closure_type: str | None
    closure_event: dict[str, Any] | None
    depth: int
    max_depth: int
    expires_at: datetime
    appointment_start: datetime | None
    owner_kind: str
    owner_operator: str | None
    owner_version: int


def check_terms(*, level: int | None, appointment: Appointment | None) -> None:
    """Refuses terms that contradict themselves (R5)."""
    if appointment is None:
        if level in APPOINTMENT_LEVELS:
            raise InvalidTermsError(
                field="appointment", code="required", message=f"Level {level} demands an appointment."
            )
    elif appointment.end <= appointment.start:
        raise InvalidTermsError(
            field="appointment.end",
            code="ends_before_start",
            message="The appointment ends before it starts.",
        )


def to_stored_hours(hours: Decimal) -> Decimal:
    """A timebox as its column holds it: a third of an hour has no last digit, and none is no time at all."""
    return max(MICROHOUR, hours.quantize(MICROHOUR))


def expiry(*, last_activity: datetime, timebox_hours: Decimal, appointment: Appointment | None) -> datetime:
    """When the conversation expires: the appointment's end, or the timebox after the last activity (R5)."""
    if appointment is not None:
        return appointment.end
    return last_activity + timedelta(microseconds=int(timebox_hours * 3_600_000_000))


def check_sender(standing: Standing, *, sender: str, sends_intent: bool) -> None:
    """Only the initiator sends intents, only the responder responses (R3)."""
    if sender not in (standing.initiator, standing.responder):
        raise NotAPartyError(f"{sender} is neither initiator nor responder here.")
    if sends_intent and sender != standing.initiator:
        raise IntentDirectionError(f"Only the initiator ({standing.initiator}) can send intents; {sender} responds.")
    if not sends_intent and sender != standing.responder:
        raise ResponseDirectionError(f"Only the responder ({standing.responder}) can send responses.")


def check_open(standing: Standing, *, now: datetime) -> None:
    """A closed conversation answers with its closure; an expired one is ended by who meets it (R5, R6)."""
    if standing.closed:
        refusal = ConversationExpiredError if standing.closure_type == "expired" else ConversationClosedError
        raise refusal(
            "This conversation has ended; create a follow-up to go on.",
            closure_event=standing.closure_event,
            re_engagement_offer=(standing.closure_event or {}).get("re_engagement_offer"),
        )
    if now > standing.expires_at:
        raise ConversationExpiredError("The time for this conversation is over; create a follow-up to go on.")


def check_automation(standing: Standing) -> None:
    """While a human owns or is asked for, our side's automation does not speak."""
    if standing.owner_kind != OwnerKind.BOT:
        raise OwnedByHumanError(
            "A human owns this conversation.",
            owner={
                "kind": standing.owner_kind,
                "operator": standing.owner_operator,
                "version": standing.owner_version,
            },
        )


def check_intent_window(standing: Standing, *, now: datetime) -> None:
    """An intent waits for its appointment and never goes deeper than allowed (R4)."""
    if standing.appointment_start is not None and now < standing.appointment_start:
        raise OutsideAppointmentError(
            "The appointment has not started yet.", appointment_start=to_text(standing.appointment_start)
        )
    if standing.depth >= standing.max_depth:
        raise MaxDepthExceededError(
            f"Conversation depth limit reached ({standing.max_depth}). Create a follow-up to go on.",
            conversation_depth=standing.depth,
            max_depth=standing.max_depth,
        )
