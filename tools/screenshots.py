"""`make screenshots`: every screen of the console into docs/images, light and dark, desktop and telephone.

A server of its own with the demo loaded and its visitors talking; screens are found by following the console's own
links from its addresses without a subject, so that a new screen is pictured without being listed here.
"""

import base64
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from django.urls import Resolver404, resolve
from playwright.sync_api import Page, sync_playwright

from tests.chromium import FLAGS
from tests.live_server import LiveServer, serve
from tests.seats import FRAGMENTS, Seat, plain_screens, sign_in

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
LOOKS = {
    f"{scheme}-{device}": {"color_scheme": scheme, "viewport": {"width": width, "height": height}}
    for scheme in ("light", "dark")
    for device, width, height in (("desktop", 1280, 800), ("phone", 390, 844))
}
QUALITY = 60
# Long enough for conversations in every driver, for somebody in the queue, and for a checkpoint.
TALKING_SECONDS = 40


@contextmanager
def demo() -> Iterator[tuple[LiveServer, str]]:
    """A server with the demo in it, and a session of its login."""
    with serve(DEMO="1") as server:
        # the past is told while nobody serves: a running sweep would end conversations in the middle of it
        server.stop()
        server.manage("demo")
        server.start()
        talk = subprocess.Popen(
            [sys.executable, "manage.py", "demo_visitors", server.url], cwd=ROOT, env=server.environment
        )
        try:
            talk.wait(TALKING_SECONDS)
        except subprocess.TimeoutExpired:
            talk.terminate()
            talk.wait()
        yield server, sign_in(server, {"demo": ["admin"]})["demo"]


def found_by_following(seat: Seat, screens: dict[str, str]) -> dict[str, str]:
    """Every screen that links of the plain ones lead to, one address each; what is no page is left out."""
    found: dict[str, str] = {}
    waiting = list(screens.items())
    while waiting:
        name, path = waiting.pop(0)
        if name in found or name in FRAGMENTS:
            continue
        try:
            answer = seat.context.request.get(f"{seat.server.url}{path}")
        except Exception as problem:  # one screen that fails must not cost the pictures of the others
            print(f"  {name}: {problem}")
            continue
        kind, offered = (answer.headers.get(name, "") for name in ("content-type", "content-disposition"))
        if not answer.ok or "text/html" not in kind or "attachment" in offered:
            continue
        found[name] = path
        seat.page.goto(f"{seat.server.url}{path}")
        waiting += [(called, link) for link in links_of(seat.page) if (called := name_of(link))]
    return found


def links_of(page: Page) -> list[str]:
    """The paths a page links to; a drawing's links are attributes, not addresses."""
    path_of = "all => all.map((a) => new URL(a.getAttribute('href'), document.baseURI).pathname)"
    paths: list[str] = page.eval_on_selector_all(".lw a[href]", path_of)
    return paths


def name_of(path: str) -> str | None:
    """The screen an address leads to, if it is one of the console."""
    try:
        match = resolve(path)
    except Resolver404:
        return None
    return match.url_name if match.namespace == "console" else None


def claim_somebody(seat: Seat) -> str | None:
    """The chat of a conversation that is held: the screen with everything on it."""
    seat.opens("/inbox")
    claim = seat.page.locator("[data-claim] button").first
    if not claim.count():
        return None
    claim.click()
    seat.page.wait_for_url("**/inbox/*")
    return urlsplit(seat.page.url).path


def picture(page: Page, file: Path) -> None:
    """A WebP by Chromium itself: a quarter of a PNG, and no imaging library."""
    shot = page.context.new_cdp_session(page).send("Page.captureScreenshot", {"format": "webp", "quality": QUALITY})
    file.write_bytes(base64.b64decode(shot["data"]))


def main() -> None:
    IMAGES.mkdir(parents=True, exist_ok=True)
    with demo() as (server, session), sync_playwright() as playwright:
        path = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        chromium = playwright.chromium.launch(executable_path=path, args=FLAGS)
        first = Seat(chromium, server, session)
        screens = found_by_following(first, plain_screens())
        if chat := claim_somebody(first):
            screens["chat"] = chat
            # who waits longest was given up by a flow: that conversation has the most to tell
            screens["conversation"] = first.page.get_by_role("link", name="why").get_attribute("href") or chat
        first.context.close()
        for old in IMAGES.glob("*.webp"):
            old.unlink()
        for look, told in LOOKS.items():
            seat = Seat(chromium, server, session, **told)
            for name, address in screens.items():
                seat.page.goto(f"{server.url}{address}")
                seat.page.wait_for_timeout(700)
                picture(seat.page, IMAGES / f"{name}-{look}.webp")
            seat.context.close()
        chromium.close()
    size = sum(file.stat().st_size for file in IMAGES.glob("*.webp"))
    print(f"{len(screens)} screens, {len(LOOKS)} looks, {size / 1e6:.1f} MB in {IMAGES.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
