"""One effect per idempotency key: the stored answer commits together with what it answers."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from conversations.domain.errors import ConversationError
from conversations.models import IdempotencyRecord

KEEP_FOR = timedelta(hours=72)
# Answers that say nothing about the effect: who is asking, how often, and faults of ours.
NOT_STORED = frozenset({401, 403, 404, 405, 413, 415, 429})


class IdempotencyMismatchError(ConversationError):
    code = "idempotency_mismatch"
    status = 422
    title = "This idempotency key was used for another request"


@dataclass(frozen=True, slots=True)
class StoredAnswer:
    status: int
    content_type: str
    body: str
    replayed: bool = False
    ruled: bool = False  # refused by the conversation's own rules, whatever its status


def answered_once(*, caller: str, key: str, fingerprint: str, work: Callable[[], StoredAnswer]) -> StoredAnswer:
    """Does the work once per caller and key. A second one waits for the first, then gets its answer."""
    with transaction.atomic():
        record, first = IdempotencyRecord.objects.get_or_create(
            caller=caller, key=key, defaults={"fingerprint": fingerprint, "created_at": timezone.now()}
        )
        if not first:
            if record.fingerprint != fingerprint:
                raise IdempotencyMismatchError("Send the same body, or another key.")
            return StoredAnswer(record.status, record.content_type, record.body, replayed=True)
        answer = work()
        if answer.status >= 500 or (answer.status in NOT_STORED and not answer.ruled):
            transaction.set_rollback(True)  # nothing happened, so the key stays free for a better try
            return answer
        record.status, record.content_type, record.body = answer.status, answer.content_type, answer.body
        record.save(update_fields=["status", "content_type", "body"])
        return answer


def purge_idempotency() -> int:
    """Forgets answers old enough that no caller retries."""
    return int(IdempotencyRecord.objects.filter(created_at__lt=timezone.now() - KEEP_FOR).delete()[0])


def digest(value: str | bytes) -> str:
    """A caller, a key or a request in the room its column has."""
    return hashlib.sha256(value.encode() if isinstance(value, str) else value).hexdigest()
