"""When to try again, and after how long: a pure decision over what came back."""

import email.utils
import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime

from lastword_client.plan import Lost, Reply, Request

# the request did not reach the application, or it asked to come back later
ALWAYS_SAFE = frozenset({429, 502, 503, 504})
# the application itself failed: only a read may ask again
SAFE_FOR_READS = frozenset({500})


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """Exponential back-off with full jitter, within a number of attempts and one total deadline."""

    attempts: int = 5
    base_seconds: float = 0.2
    cap_seconds: float = 10.0
    deadline_seconds: float = 60.0
    random: Callable[[], float] = random.random

    def wait(self, request: Request, outcome: Reply | Lost, *, attempt: int, elapsed: float) -> float | None:
        """Seconds to wait before attempt `attempt + 1` (the first is 1), or None to give up."""
        if attempt >= self.attempts or not is_retryable(request, outcome):
            return None
        backoff = self.random() * min(self.cap_seconds, self.base_seconds * 2 ** (attempt - 1))
        asked = retry_after(outcome) if isinstance(outcome, Reply) else None
        wait = backoff + (asked or 0.0)
        return wait if elapsed + wait < self.deadline_seconds else None


def is_retryable(request: Request, outcome: Reply | Lost) -> bool:
    """Whether repeating the request can help and cannot do harm (every POST carries an idempotency key)."""
    if isinstance(outcome, Lost):
        return outcome.retryable
    return outcome.status in ALWAYS_SAFE or (request.method == "GET" and outcome.status in SAFE_FOR_READS)


def retry_after(reply: Reply, *, now: datetime | None = None) -> float | None:
    """The Retry-After header in seconds, written as a number or as a date; nonsense counts as absent."""
    text = reply.headers.get("retry-after", "").strip()
    if text.isascii() and text.isdigit():
        return float(text)
    try:
        moment = email.utils.parsedate_to_datetime(text)
    except ValueError:
        return None
    if moment.tzinfo is None:  # a zone of "-0000"
        moment = moment.replace(tzinfo=UTC)
    return max(0.0, (moment - (now or datetime.now(UTC))).total_seconds())
