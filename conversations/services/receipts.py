"""One answer per message id: what was said once is never decided twice."""

from datetime import datetime
from typing import Any

from conversations.models import MessageReceipt, Relationship
from conversations.services.idempotency import IdempotencyMismatchError

FINGERPRINT = "fingerprint"


def answer_given(
    relationship: Relationship, message_id: str, *, fingerprint: str | None = None
) -> dict[str, Any] | None:
    """The answer this message id already got in this conversation; with a fingerprint, only to the same words."""
    receipt = MessageReceipt.objects.filter(relationship=relationship, message_id=message_id).first()
    if receipt is None:
        return None
    given = {**receipt.answer, "duplicate": True}
    told = given.pop(FINGERPRINT, None)
    if None not in (told, fingerprint) and told != fingerprint:
        raise IdempotencyMismatchError("This id was used for another message.")
    return given


def keep_answer(
    relationship: Relationship,
    message_id: str,
    answer: dict[str, Any],
    *,
    now: datetime,
    fingerprint: str | None = None,
) -> None:
    kept = answer if fingerprint is None else {**answer, FINGERPRINT: fingerprint}
    MessageReceipt.objects.create(relationship=relationship, message_id=message_id, answer=kept, created_at=now)
