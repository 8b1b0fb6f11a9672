"""Emptying the cache of the tests of one process, and nobody else's."""

import redis
from django.conf import settings
from django.core.cache import cache


def empty_own_cache() -> None:
    """Django's clear() would flush the whole Redis database, with the counts of the tests in the process beside."""
    if settings.EMBEDDED:
        cache.clear()
        return
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        for key in client.scan_iter(f"{settings.TEST_PREFIX}*", count=1000):
            client.delete(key)
