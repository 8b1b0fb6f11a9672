"""The import rule of the architecture, the single writers and the sizes, on every file there is.

Each failure names the file and the line. `test_the_rules_bite.py` shows that each rule can fail.
"""

from collections.abc import Callable

import pytest

from tests.architecture.rules import interfaces, layering, portability, purity, size, writers
from tests.architecture.source import APPS, ROOT, Source, sources

RULES: dict[str, Callable[[Source], list[str]]] = {
    "apps depend downwards only": layering.violations,
    "services do not know interfaces": interfaces.upward_imports,
    "interfaces do not write models": interfaces.writes,
    "pure packages are pure": purity.violations,
    "only the event store makes events": writers.event_creations,
    "only broadcast touches the channel layer": writers.channel_layer_uses,
    "only projections write derived columns": writers.derived_column_writes,
    "there are no signals": writers.signals,
    "files and functions are small": size.violations,
}


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES.keys())
def test_every_file_obeys(rule: Callable[[Source], list[str]]) -> None:
    offences = [offence for source in sources() for offence in rule(source)]
    assert not offences, "\n".join(["", *offences])


def test_nothing_belongs_to_one_machine() -> None:
    offences = [
        offence
        for file in portability.files()
        for offence in portability.violations(str(file.relative_to(ROOT)), file.read_text())
    ]
    assert not offences, "\n".join(["", *offences])


def test_every_app_was_looked_at() -> None:
    """An empty walk would obey every rule."""
    for app in APPS:
        assert sum(source.app == app for source in sources()) >= 3, app
    for places in purity.PURE.values():
        for pure in places:
            exists = (ROOT / pure).exists() or (ROOT / f"{pure}.py").exists()
            looked_at = any(source.inside(pure) for source in sources())
            assert exists == looked_at, pure
