"""An exported bundle verifies offline, and any changed byte is found and named."""

import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from django.utils import timezone
from hypothesis import given, settings
from hypothesis import strategies as st
from verify_bundle import main, problems

from audit.services import export, keys
from audit.services.export import export_bundle
from conversations.services.erasure import erase_payloads
from tests.ledger.cast import conversation, say

ROOT = Path(__file__).resolve().parents[2]
MOMENT = timezone.now().replace(microsecond=0)


@pytest.fixture(scope="module")
def bundle(django_db_setup: None, django_db_blocker: object, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """One bundle for every test here: a closed conversation, one payload erased, another in the same log."""
    from django.conf import settings as live
    from django.db import transaction

    file = live.LASTWORD_CHECKPOINT_FILE
    live.LASTWORD_CHECKPOINT_FILE = tmp_path_factory.mktemp("outside") / "checkpoints.log"
    with django_db_blocker.unblock(), transaction.atomic():  # type: ignore[attr-defined]
        conversation()
        relationship = conversation(close=True)
        conversation()
        erase_payloads(relationship_id=relationship.pk, seqs=[2], basis="art. 17", by="user:1", now=MOMENT)
        made = export_bundle(relationship, now=MOMENT)
        transaction.set_rollback(True)
    live.LASTWORD_CHECKPOINT_FILE = file
    return made


def unzipped(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def changed(data: bytes, name: str, change: Callable[[bytes], bytes]) -> bytes:
    """The bundle with one file changed, and the zip made right again."""
    files = unzipped(data)
    after = change(files[name])
    assert after != files[name]
    return export.zipped({**files, name: after})


def test_a_bundle_is_sound(bundle: bytes) -> None:
    assert problems(bundle) == []
    assert problems(bundle, pinned=keys.public_key().hex()) == []


def test_a_bundle_holds_what_the_contract_says(bundle: bytes) -> None:
    files = unzipped(bundle)
    assert set(files) == {
        "manifest.json",
        "manifest.sig",
        "events.jsonl",
        "payloads.jsonl",
        "proofs.json",
        "keys.json",
        next(name for name in files if name.startswith("checkpoints/")),
    }
    told = [json.loads(line) for line in files["payloads.jsonl"].splitlines()]
    assert told[1] == {"seq": 2, "erased": True}
    assert b"book_0" not in files["payloads.jsonl"].splitlines()[1]


@pytest.mark.django_db
def test_the_same_content_at_the_same_moment_gives_the_same_bytes() -> None:
    relationship = conversation()
    assert export_bundle(relationship, now=MOMENT) == export_bundle(relationship, now=MOMENT)


@settings(max_examples=400, deadline=None)
@given(data=st.data())
def test_any_flipped_bit_is_found_and_its_file_named(bundle: bytes, data: st.DataObject) -> None:
    position = data.draw(st.integers(0, len(bundle) - 1))
    flipped = bytearray(bundle)
    flipped[position] ^= 1 << data.draw(st.integers(0, 7))
    found = problems(bytes(flipped))
    assert found
    assert all(line.partition(":")[0] for line in found)


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_a_byte_changed_inside_a_file_names_that_file(bundle: bytes, data: st.DataObject) -> None:
    files = unzipped(bundle)
    name = data.draw(st.sampled_from(sorted(files)))
    position = data.draw(st.integers(0, len(files[name]) - 1))
    other = data.draw(st.integers(1, 255))

    def change(content: bytes) -> bytes:
        return content[:position] + bytes([content[position] ^ other]) + content[position + 1 :]

    found = problems(changed(bundle, name, change))
    assert any(line.startswith(name) or (name == "manifest.sig" and name in line) for line in found), found


@pytest.mark.parametrize(
    ("name", "old", "new", "told"),
    [
        ("events.jsonl", b"response_accepted", b"response_rejected", "events.jsonl, line 3, event 3: the header"),
        ("payloads.jsonl", b"book_1", b"book_2", "payloads.jsonl, line 4, event 4: not the payload"),
        ("payloads.jsonl", b"art. 17", b"art. 18", "payloads.jsonl, line 7, event 7: not the payload"),
    ],
)
def test_the_broken_event_is_named(bundle: bytes, name: str, old: bytes, new: bytes, told: str) -> None:
    found = problems(changed(bundle, name, lambda content: content.replace(old, new, 1)))
    assert any(line.startswith(told) for line in found), found


def test_an_event_left_out_is_named(bundle: bytes) -> None:
    def without_third(content: bytes) -> bytes:
        kept = content.splitlines(keepends=True)
        return b"".join(kept[:2] + kept[3:])

    found = problems(changed(bundle, "events.jsonl", without_third))
    assert "events.jsonl, line 3, event 4: out of sequence, 3 was due" in found


def test_a_payload_left_out_as_if_erased_is_named(bundle: bytes) -> None:
    def erased(content: bytes) -> bytes:
        kept = content.splitlines(keepends=True)
        return b"".join([*kept[:3], b'{"erased": true, "seq": 4}\n', *kept[4:]])

    found = problems(changed(bundle, "payloads.jsonl", erased))
    assert "payloads.jsonl, line 4, event 4: erased, and no event says so" in found


def test_a_bundle_signed_by_another_than_the_pinned_key_is_refused(bundle: bytes) -> None:
    assert problems(bundle, pinned="ab" * 32) == ["manifest.json: signed by another key than the pinned one"]


def test_bytes_after_the_end_are_found(bundle: bytes) -> None:
    assert problems(bundle + b"x")


@pytest.mark.parametrize("data", [b"", b"PK", b"no zip at all"])
def test_what_is_no_bundle_is_broken_not_a_crash(data: bytes) -> None:
    assert problems(data)[0].startswith("the zip itself")


def test_exit_codes_say_sound_broken_and_not_checked(bundle: bytes, tmp_path: Path) -> None:
    file = tmp_path / "bundle.zip"
    assert main([str(file)]) == 2
    file.write_bytes(bundle)
    assert main([str(file)]) == 0
    file.write_bytes(bundle[:-1])
    assert main([str(file)]) == 1


def test_the_verifier_runs_alone_without_the_application(bundle: bytes, tmp_path: Path) -> None:
    file = tmp_path / "bundle.zip"
    file.write_bytes(bundle)
    script = (ROOT / "client" / "verify_bundle.py").read_text()
    alone = tmp_path / "verify_bundle.py"
    alone.write_text(script)
    command = [sys.executable, "-I", str(alone), str(file)]
    run = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, timeout=60, check=False)
    assert (run.returncode, run.stdout.startswith("sound: 7 events of")) == (0, True), run.stderr


@pytest.mark.django_db
def test_a_bundle_of_a_later_moment_holds_later_events() -> None:
    relationship = conversation(exchanges=0)
    export_bundle(relationship, now=MOMENT)
    say(relationship.pk, "noted")
    files = unzipped(export_bundle(relationship, now=timezone.now()))
    assert len(files["events.jsonl"].splitlines()) == 2
