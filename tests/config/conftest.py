"""The one-hop handler on its own views."""

from collections.abc import Callable, Iterator

import pytest

from config.onehop import OneHop
from tests.config import onehop_urls
from tests.config.asgi_client import BODY_LIMIT


@pytest.fixture
def make() -> Iterator[Callable[..., OneHop]]:
    made: list[OneHop] = []

    def build(threads: int = 2, queue_limit: int = 10) -> OneHop:
        made.append(OneHop(threads=threads, queue_limit=queue_limit, body_limit=BODY_LIMIT))
        return made[-1]

    onehop_urls.gate.clear()
    onehop_urls.notes.clear()
    while onehop_urls.entered.acquire(blocking=False):
        pass
    yield build
    onehop_urls.gate.set()
    assert all(each.close(5) for each in made)
