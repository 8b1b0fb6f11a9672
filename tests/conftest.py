"""What every test may rely on."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import hypothesis
import pytest
from django.conf import settings
from django.test import TransactionTestCase
from hypothesis import HealthCheck
from pytest_django import Settings

from tests.ledger_guards import empty_every_table
from tests.live_server import server, server_process
from tests.own_cache import empty_own_cache

pytest_plugins = ["tests.cast", "tests.chromium"]

# A busy machine is slow, not wrong: properties are bounded by their number of examples, never by the clock.
hypothesis.settings.register_profile("lastword", deadline=None, suppress_health_check=[HealthCheck.too_slow])
hypothesis.settings.load_profile("lastword")

__all__ = ["server", "server_process"]

USES_THE_STACK = {"db", "transactional_db", "server", "server_process"}


@pytest.fixture(autouse=True, scope="session")
def data_folder_is_removed() -> Iterator[None]:
    """The data folder that `tests/settings.py` made goes when this process's tests are over."""
    yield
    shutil.rmtree(settings.LASTWORD_DATA, ignore_errors=True)


@pytest.fixture(autouse=True, scope="session")
def history_is_emptied_after_transactional_tests() -> Iterator[None]:
    """Such tests end by emptying every table, which the ledger's triggers refuse: they are lifted for it."""
    flush = TransactionTestCase._fixture_teardown
    TransactionTestCase._fixture_teardown = lambda case: empty_every_table()
    yield
    TransactionTestCase._fixture_teardown = flush


@pytest.fixture(autouse=True)
def empty_cache() -> None:
    """Rate limits and other cached counts of one test must not reach the next."""
    empty_own_cache()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """A test that has nothing to say about this stack is left out of it: not skipped, not there.

    One of the other database's own features never runs here; one that asks for no database at all
    says the same on both, so it runs on the embedded stack only.
    """
    left_out = [item for item in items if _is_foreign(item) or (not settings.EMBEDDED and _says_the_same(item))]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        gone = set(left_out)
        items[:] = [item for item in items if item not in gone]


def _is_foreign(item: pytest.Item) -> bool:
    return item.get_closest_marker("postgres" if settings.EMBEDDED else "sqlite") is not None


def _says_the_same(item: pytest.Item) -> bool:
    """Settings and servers are the stack itself; everything else touches it through the database only."""
    if item.get_closest_marker("stack") or "config" in item.path.relative_to(settings.BASE_DIR).parts:
        return False
    asks = item.get_closest_marker("django_db") or USES_THE_STACK & set(getattr(item, "fixturenames", ()))
    return not asks


@pytest.fixture(autouse=True)
def outside_record(settings: Settings, tmp_path: Path) -> Path:
    """Each test has a database of its own, so it has its own checkpoints outside of it."""
    settings.LASTWORD_CHECKPOINT_FILE = tmp_path / "checkpoints.log"
    return tmp_path / "checkpoints.log"
