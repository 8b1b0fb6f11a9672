"""Whatever a scenario did, the history it leaves must hold."""

from collections.abc import Iterator

import pytest

from tests.invariants import assert_history_holds


@pytest.fixture(autouse=True)
def history_holds(request: pytest.FixtureRequest) -> Iterator[None]:
    """Checked after each test that touched the database, before its rows go."""
    if request.node.get_closest_marker("django_db") is None:
        yield
        return
    request.getfixturevalue("db")
    yield
    assert_history_holds()
