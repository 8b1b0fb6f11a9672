"""Django's Redis cache with one client a process.

Django keeps a cache's connections with the context they are made in, and every request has a context of its own here
(`config/onehop/threads.py`): each would open a connection of its own and leave it behind. redis-py's client and pool
may be shared by threads.
"""

from functools import cache, cached_property
from typing import Any

from django.core.cache.backends.redis import RedisCache, RedisCacheClient


class KeptClient(RedisCacheClient):
    """Makes redis-py's client once: making one takes longer than asking it."""

    @cached_property
    def _kept(self) -> Any:
        return super().get_client()

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        return self._kept


@cache
def client_of(servers: tuple[str, ...], options: tuple[tuple[str, Any], ...]) -> KeptClient:
    return KeptClient(servers, **dict(options))


class KeptRedisCache(RedisCache):
    @property
    def _cache(self) -> KeptClient:
        return client_of(tuple(self._servers), tuple(self._options.items()))
