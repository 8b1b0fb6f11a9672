from collections.abc import Callable, Iterator

import pytest

from tests.cast import Actor, Opens
from tests.conversations.assistant.world import Visitor, stock

Arrives = Callable[..., Visitor]


@pytest.fixture
def arrives(router: Actor, opened: Opens) -> Iterator[Arrives]:
    """A visitor of a stocked shop; however they fared, their row is the fold of their events."""
    stock(router)
    arrived: list[Visitor] = []

    def arrive(**terms: object) -> Visitor:
        arrived.append(Visitor(router, opened(driver="assistant", **terms)))
        return arrived[-1]

    yield arrive
    for visitor in arrived:
        if visitor.events("turn_taken"):
            visitor.assert_row_is_the_fold()


@pytest.fixture
def visitor(arrives: Arrives) -> Visitor:
    return arrives()
