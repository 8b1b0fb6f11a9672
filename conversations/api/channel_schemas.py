"""What callers send and get about channels, deliveries and subscriptions."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import BaseModel, Field, StringConstraints

from conversations.api.schemas import FROM_TEXT, Body, Handle
from conversations.domain.relationship import Driver
from conversations.models import Channel
from conversations.services.subscriptions import PATTERN

Url = Annotated[str, StringConstraints(max_length=2000)]
# How long it is the other side decides, who made it.
Secret = Annotated[str, StringConstraints(min_length=1, max_length=500)]
Pattern = Annotated[str, StringConstraints(pattern=rf"^({PATTERN.pattern})$")]


class ChannelBody(Body):
    kind: Annotated[Channel.Kind, FROM_TEXT]
    name: Annotated[str, StringConstraints(min_length=1, max_length=100)]
    base_url: Url = ""
    account_id: Annotated[int, Field(ge=1, le=2**53 - 1)] | None = None
    token: Annotated[str, StringConstraints(max_length=500)] = ""
    secret: Secret
    driver: Annotated[Driver, FROM_TEXT] | None = None
    flow: Annotated[str, StringConstraints(min_length=1, max_length=100)] | None = None
    personas: Annotated[list[Handle], Field(max_length=100)] = []


class SubscriptionBody(Body):
    url: Url
    events: Annotated[list[Pattern], Field(max_length=100)] = []
    secret: Secret


class ChannelAnswer(BaseModel):
    id: UUID
    kind: str
    name: str
    base_url: str
    account_id: int | None
    driver: str
    flow: str | None
    personas: list[str]
    webhook_path: str
    enabled: bool
    created_at: datetime
    open_until: datetime | None


class ChannelPage(BaseModel):
    results: list[ChannelAnswer]
    next: str | None


class DeliveryAnswer(BaseModel):
    id: UUID
    channel: UUID
    received_at: datetime
    event: str
    signature: str
    verdict: str
    reason: str
    attempts: int
    relationship: UUID | None
    duplicate_of: UUID | None


class DeliveryPage(BaseModel):
    results: list[DeliveryAnswer]
    next: str | None


class SubscriptionAnswer(BaseModel):
    id: UUID
    url: str
    events: list[str]
    enabled: bool
    created_at: datetime
    open_until: datetime | None


class SubscriptionPage(BaseModel):
    results: list[SubscriptionAnswer]
    next: str | None


class TryAnswer(BaseModel):
    at: datetime
    status: int | None
    error: str
    duration_ms: int


class NoticeAnswer(BaseModel):
    id: str
    event: str
    relationship: UUID
    state: str
    created_at: datetime
    error: str
    attempts: list[TryAnswer]


class NoticePage(BaseModel):
    results: list[NoticeAnswer]
    next: str | None


class AcceptedAnswer(BaseModel):
    """What a webhook's sender is told; Slack's verification gets only its challenge back."""

    delivery: UUID
    duplicate: bool
