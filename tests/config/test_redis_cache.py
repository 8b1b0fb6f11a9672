"""The cache in production: requests share their connection to Redis."""

import contextvars

import pytest
from django.core.cache import caches
from django.core.cache.backends.redis import RedisCache

pytestmark = pytest.mark.postgres


def client() -> object:
    kept = caches["default"]
    assert isinstance(kept, RedisCache)
    return kept._cache.get_client()


def test_every_context_asks_through_the_same_client() -> None:
    """Each request runs in a context of its own, and Django makes a cache for each context."""
    contexts = [contextvars.Context() for _ in range(3)]
    assert len({id(context.run(lambda: caches["default"])) for context in contexts}) == 3
    assert {id(context.run(client)) for context in contexts} == {id(client())}


def test_it_counts_and_forgets() -> None:
    cache = caches["default"]
    assert cache.add("once", 1, timeout=60)
    assert not cache.add("once", 1, timeout=60)
    assert cache.incr("once") == 2
    cache.delete("once")
    assert cache.get("once") is None
