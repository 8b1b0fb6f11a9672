"""One answer per message id: what was said once is never decided twice."""

from datetime import datetime
from typing import Any

from conversations.models import MessageReceipt, Relationship


def answer_given(relationship: Relationship, message_id: str) -> dict[str, Any] | None:
    """The answer this message id already got in this conversation."""
    receipt = MessageReceipt.objects.filter(relationship=relationship, message_id=message_id).first()
    return None if receipt is None else {**receipt.answer, "duplicate": True}


def keep_answer(relationship: Relationship, message_id: str, answer: dict[str, Any], *, now: datetime) -> None:
    MessageReceipt.objects.create(relationship=relationship, message_id=message_id, answer=answer, created_at=now)
