"""What callers get: the shapes of the contract, for the schema and for whoever reads it."""

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

from pydantic import BaseModel


class Head(BaseModel):
    seq: int
    hash: str


class Owner(BaseModel):
    kind: str
    operator: str | None
    version: int


class FlowPin(BaseModel):
    slug: str
    version: int
    hash: str


class AppointmentAnswer(BaseModel):
    id: str | None
    start: datetime
    end: datetime
    subject: str | None


class ConversationSummary(BaseModel):
    total_intents: int
    total_responses: int
    intent_types: list[str]
    outcome_status: str
    humotica_trace: str


class ClosureAnswer(BaseModel):
    type: str
    fir_a_id: UUID
    closure_type: str
    closure_reason: str
    timestamp: datetime
    conversation_summary: ConversationSummary
    total_events: int
    conversation_duration_seconds: int
    outcome: str
    re_engagement_offer: dict[str, Any] | None
    operator_summary: str | None = None
    seq: int
    hash: str


class RelationshipAnswer(BaseModel):
    id: UUID
    initiator: str
    responder: str
    roles: dict[str, Any]
    context: dict[str, Any]
    humotica: str
    level: int | None
    channel: str
    driver: str
    conversation_state: str
    conversation_depth: int
    max_depth: int
    timebox_hours: float
    appointment: AppointmentAnswer | None
    created_at: datetime
    last_activity_at: datetime
    expires_at: datetime
    time_remaining_seconds: int
    closed_at: datetime | None
    continuation_of: UUID | None
    continued_by: list[UUID]
    flow: FlowPin | None
    owner: Owner
    closure_event: ClosureAnswer | None
    head: Head


class RelationshipPage(BaseModel):
    results: list[RelationshipAnswer]
    next: str | None


class Lineage(BaseModel):
    results: list[RelationshipAnswer]


class EventAnswer(BaseModel):
    seq: int
    type: str
    at: datetime
    actor: str
    payload: dict[str, Any] | None
    prev_hash: str
    hash: str
    withheld: bool | None = None  # true where a party is not shown all of the payload


class EventPage(BaseModel):
    results: list[EventAnswer]
    head: Head
    next: str | None


class ExchangeAnswer(BaseModel):
    event: EventAnswer
    conversation_depth: int
    max_depth: int
    expires_at: datetime


class RatingAnswer(BaseModel):
    score: int
    comment: str
    event: EventAnswer


class HandoffAnswer(BaseModel):
    id: UUID
    relationship: UUID
    status: str
    version: int
    reason: str
    summary: str
    operator: str | None
    transfer_to: str | None
    requested_at: datetime
    claimed_at: datetime | None
    wait_seconds: int


class HandoffPage(BaseModel):
    results: list[HandoffAnswer]
    next: str | None


class PersonaAnswer(BaseModel):
    handle: str
    name: str
    responder: dict[str, Any]
    created_at: datetime


class PersonaPage(BaseModel):
    results: list[PersonaAnswer]
    next: str | None


class VerdictAnswer(BaseModel):
    guard: str
    allowed: bool
    code: str | None
    figures: dict[str, int | str | bool | None]


class ThreadEventAnswer(BaseModel):
    action: Literal["reply", "skip"]
    code: str | None
    reason: str
    verdicts: list[VerdictAnswer]
    eligible: list[str]
    persona: str | None
    delay_seconds: float | None
    turns: int
    relationship: UUID


class ThreadDecisionAnswer(BaseModel):
    action: Literal["reply", "skip"]
    code: str | None
    persona: str | None
    delay_seconds: float | None


class BacktestDifference(BaseModel):
    relationship: UUID
    seq: int
    thread: str
    event_id: str
    before: ThreadDecisionAnswer
    after: ThreadDecisionAnswer
    guards: list[str]


class BacktestAnswer(BaseModel):
    since: datetime
    examined: int
    differing: int
    truncated: bool
    not_replayed: list[str]
    differences: list[BacktestDifference]


class TicketAnswer(BaseModel):
    ticket: str
    expires_in: int


class SweepAnswer(BaseModel):
    expired: int


class FieldError(BaseModel):
    field: str
    code: str
    message: str


class Problem(BaseModel):
    """RFC 9457; further members are named beside each code."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    errors: list[FieldError] | None = None
