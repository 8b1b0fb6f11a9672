"""The Python verifier over the vectors it shares with the one in the browser."""

import pytest
from verify_bundle import problems

from audit.services import keys
from tests.audit.vectors import INSIDE, sound_bundles, tampered_bundles


@pytest.fixture(scope="module")
def sound(
    django_db_setup: None, django_db_blocker: object, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, bytes]:
    with django_db_blocker.unblock():  # type: ignore[attr-defined]
        return sound_bundles(tmp_path_factory.mktemp("outside"))


@pytest.mark.parametrize("name", ["one", "lineage"])
def test_a_sound_bundle_passes(sound: dict[str, bytes], name: str) -> None:
    assert problems(sound[name], pinned=keys.public_key().hex()) == []


def test_every_kind_of_tampering_is_found_and_the_event_named(sound: dict[str, bytes]) -> None:
    vectors = tampered_bundles(sound)
    assert len(vectors) > len(INSIDE)
    missed = {}
    for name, (data, told) in vectors.items():
        found = problems(data)
        if not any(line.startswith(told) for line in found):
            missed[name] = found
    assert missed == {}
