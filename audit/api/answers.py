"""What callers of the audit API get."""

from datetime import datetime

from pydantic import BaseModel

from conversations.api.answers import Head


class ChainVerdict(BaseModel):
    ok: bool
    events: int
    head: Head
    first_bad_seq: int | None
    reason: str | None


class FindingAnswer(BaseModel):
    reason: str
    detail: str
    relationship: str | None
    seq: int | None


class LedgerVerdict(BaseModel):
    ok: bool
    relationships: int
    events: int
    leaves: int
    checkpoints: int
    first_bad: FindingAnswer | None
    unchecked: list[str]


class CheckpointAnswer(BaseModel):
    size: int
    root: str
    note: str
    key_id: str
    created_at: datetime


class CheckpointPage(BaseModel):
    results: list[CheckpointAnswer]
    next: str | None
