"""A fixed window of requests per key, shared by all processes through the cache."""

import logging
import time

from django.conf import settings
from django.core.cache import cache
from redis import RedisError
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from conversations.models import ApiKey

log = logging.getLogger(__name__)


def wait_after_request(key: ApiKey) -> float | None:
    """Counts one request of the key: None where it is within its rate, else the seconds until it is again."""
    window, now = settings.LASTWORD_RATE_WINDOW_SECONDS, time.time()
    try:
        used = counted(f"rate:{key.pk}:{int(now // window)}", window)
    except RedisError as problem:
        # The limit protects the conversations; a limit nobody can count must not end them.
        log.warning("rate_unknown", extra={"problem": type(problem).__name__})
        return None
    return None if used <= settings.LASTWORD_RATE_LIMIT else window - now % window


def counted(bucket: str, window: int) -> int:
    """How many requests the bucket holds with this one."""
    try:
        return cache.incr(bucket)
    except ValueError:  # the first request of this window
        if cache.add(bucket, 1, timeout=window * 2):
            return 1
    try:
        return cache.incr(bucket)
    except ValueError:  # a rival's first request, and the cache emptied right after it
        return 1


class ApiKeyThrottle(BaseThrottle):
    def allow_request(self, request: Request, view: object) -> bool:
        self.seconds = None if request.auth is None else wait_after_request(request.auth)
        return self.seconds is None

    def wait(self) -> float | None:
        return self.seconds
