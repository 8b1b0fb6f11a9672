"""What callers get from the drivers: turns, steps, dialogues, the catalogue."""

from typing import Annotated, Any, Literal
from uuid import UUID

from pydantic import BaseModel, Field, RootModel

from conversations.services.catalog import ProductData


class Products(RootModel[Annotated[list[ProductData], Field(max_length=1000)]]):
    """What the catalogue takes: a list, at most a thousand at once."""


class UpsertAnswer(BaseModel):
    upserted: int


class ProductAnswer(BaseModel):
    id: str
    name: str
    description: str
    price: float | None
    currency: str
    url: str
    image_url: str
    tags: list[str]


class ProductPage(BaseModel):
    results: list[ProductAnswer]
    next: str | None


class Pagination(BaseModel):
    offset: int
    limit: int
    last_query_hash: str | None


class PendingConfirmation(BaseModel):
    action: str | None
    target_id: str | None
    created_at: str | None = None


class DialogueAnswer(BaseModel):
    """`conversation_state`, as seed 002's schema has it."""

    state: Literal["idle", "clarifying", "recommending", "awaiting_confirmation", "paginating", "error", "handoff"]
    last_intent: str | None
    pagination: Pagination
    pending_confirmation: PendingConfirmation
    clarification_attempts: int
    last_user_message_id: str | None
    last_agent_message_id: str | None


class DecisionAnswer(BaseModel):
    turnIndex: int
    nodeId: str
    mode: Literal["EXECUTE", "RETRY", "BROADEN", "HANDOFF", "SKIP"]
    reason: str
    reasonCodes: list[str]
    prompt: str | None


class ReplyAnswer(BaseModel):
    text: str
    quick_replies: list[dict[str, Any]]
    cards: list[dict[str, Any]]


class TurnAnswer(BaseModel):
    """One turn; the last three only where the assistant drives."""

    message_id: str
    duplicate: bool
    decisions: list[DecisionAnswer]
    status: str
    factsProduced: list[str]
    factsIgnored: list[str]
    statesProduced: list[str]
    gatesLost: list[str]
    gatesSatisfied: list[str]
    suppressed: str | None
    reply: ReplyAnswer | None
    why_not: dict[str, list[dict[str, Any]]]
    handoff_id: UUID | None
    dialogue: DialogueAnswer | None = None
    transitions: list[list[str]] = []
    guards: list[dict[str, Any]] = []


class LoopVerdict(BaseModel):
    has_loop: bool
    loop_type: Literal["infinite", "redundant", "stuck"] | None
    confidence: float
    affected_steps: list[int]
    suggested_action: Literal["stop", "retry", "skip", "continue"]
    rule: str | None


class StepDecision(BaseModel):
    should_continue: bool
    reason: str
    confidence: float
    next_action: Literal["continue", "stop", "retry", "skip"]


class Processed(BaseModel):
    content: str
    is_complete: bool
    is_truncated: bool
    truncation: dict[str, Any]


class StepAnswer(BaseModel):
    step_id: str
    duplicate: bool
    step_index: int
    processed: Processed
    analysis: LoopVerdict
    decision: StepDecision
    progress: dict[str, Any]
    fulfillment: dict[str, Any]
    resolutions: list[Any]
    finding_id: UUID | None
