import pytest

from tests.cast import Actor, Clock
from tests.conversations.threads.world import PERSONAS, World, make_personas


@pytest.fixture
def world(router: Actor, editor: Actor, clock: Clock) -> World:
    """Three personas under the seed's policy, and a clock that stands still."""
    make_personas(*PERSONAS)
    return World(router, editor, clock)
