"""The verifier in the browser over the vectors it shares with the one in Python: neither may be alone in its view."""

import base64
import functools
import http.server
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page
from verify_bundle import problems

from audit.services import keys
from tests.audit.vectors import sound_bundles, tampered_bundles

pytestmark = [pytest.mark.browser, pytest.mark.django_db]

STATIC = Path(__file__).resolve().parents[3] / "static"
CALL = """async ({data, pinned}) => {
  const {verified} = await import("/js/verifier/bundle.js");
  return await verified(Uint8Array.from(atob(data), (one) => one.charCodeAt(0)), pinned);
}"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *told: Any) -> None:
        """Nobody listens."""


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    """A page that has the verifier's modules and nothing else: no server of ours is asked."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=STATIC)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        context = chromium.new_context()
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{server.server_port}/js/")
        yield page
        context.close()
        server.shutdown()


def told_by(page: Page, data: bytes, pinned: str = "") -> list[str]:
    found: list[str] = page.evaluate(CALL, {"data": base64.b64encode(data).decode(), "pinned": pinned})["problems"]
    return found


def places(lines: list[str]) -> list[str]:
    """Where something is wrong; how a malformed file is malformed each says in its own words."""
    return sorted({line.partition(":")[0] if "malformed" in line or "zip itself" in line else line for line in lines})


def test_both_verifiers_say_the_same_of_every_bundle(page: Page, tmp_path: Path) -> None:
    sound = sound_bundles(tmp_path)
    for name, data in sound.items():
        assert told_by(page, data, keys.public_key().hex()) == problems(data) == [], name
        other = told_by(page, data, "ab" * 32)
        assert other == problems(data, pinned="ab" * 32) == ["manifest.json: signed by another key than the pinned one"]
    differ = {}
    for name, (data, told) in tampered_bundles(sound).items():
        here, there = told_by(page, data), problems(data)
        if places(here) != places(there) or not any(line.startswith(told) for line in here):
            differ[name] = {"browser": here, "python": there}
    assert differ == {}


def test_any_flipped_byte_is_found_by_both(page: Page, tmp_path: Path) -> None:
    """Every 37th byte: headers of the zip, names, signatures, words, proofs."""
    data = sound_bundles(tmp_path)["one"]
    bundles = [data[:at] + bytes([data[at] ^ 0x20]) + data[at + 1 :] for at in range(0, len(data), 37)]
    missed = [number for number, bundle in enumerate(bundles) if not (problems(bundle) and told_by(page, bundle))]
    assert missed == []
