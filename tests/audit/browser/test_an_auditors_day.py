"""An auditor's job in a real browser: search, trail, verify everything, export, and check the bundle twice over."""

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from tests.audit.browser.conftest import LOOKS, Auditor
from tests.live_server import LiveServer

pytestmark = pytest.mark.browser

TABS = ["Events", "People", "Checkpoints", "Export", "Retention", "Verification", "Check a bundle"]


def barriers(page: Page) -> list[str]:
    found = Axe().run(page, context=".lw").response["violations"]
    return [f"{each['id']}: {node['html'][:200]}" for each in found for node in each["nodes"]]


def dropped(page: Page, file: Path) -> None:
    """The file, let go over the page as with a mouse."""
    page.evaluate(
        """([name, bytes]) => {
          const told = new DataTransfer();
          told.items.add(new File([Uint8Array.from(bytes)], name, { type: "application/zip" }));
          const zone = document.querySelector("[data-drop]");
          zone.dispatchEvent(new DragEvent("drop", { dataTransfer: told, bubbles: true, cancelable: true }));
        }""",
        [file.name, list(file.read_bytes())],
    )


def tampered(file: Path) -> Path:
    """The same bundle with one word changed in its stored bytes."""
    data = file.read_bytes()
    at = data.index(b"Offer presented") if b"Offer presented" in data else data.index(b"Documents asked for")
    other = file.with_name("tampered.zip")
    other.write_bytes(data[:at] + b"X" + data[at + 1 :])
    return other


def test_from_a_search_to_a_bundle_checked_offline(chromium: Browser, demo: LiveServer, tmp_path: Path) -> None:
    auditor = Auditor(chromium, demo, **LOOKS["light"])
    page = auditor.page
    while page.locator(".lw-traces tbody tr").count() < 50:  # the index follows the log within seconds
        page.reload()
    page.fill("[name=q]", "mortgage advis*")
    page.fill("[name=party]", "ing_bank")
    page.click("text=Search")
    expect(page.locator(".lw-traces tbody tr").first).to_contain_text("Adviser called")

    page.locator(".lw-traces a:not(:has-text('tampered'))").first.click()
    expect(page.locator("#trail-title")).to_be_visible()
    page.click("[data-verify]")
    expect(page.locator("[data-verdict]")).to_contain_text("verified")
    expect(page.locator("text=Who looked")).to_be_visible()
    with page.expect_download() as download:
        page.click("text=Export the signed bundle")
    bundle = tmp_path / "bundle.zip"
    download.value.save_as(bundle)

    page.goto(f"{demo.url}/admin/console/audit/verification")
    page.click("text=Verify everything")
    newest = page.locator("[data-run]").first
    expect(newest).to_have_attribute("data-run", "broken")
    expect(newest).to_contain_text("first broken event")
    expect(newest).to_contain_text("the words were changed")
    newest.locator("a").first.click()
    expect(page.locator("h1.lw-heading")).to_contain_text("tampered-copy")
    expect(page.locator("#event-4")).to_be_in_viewport()
    with page.expect_download() as download:
        page.click("text=Export the signed bundle")
    broken = tmp_path / "broken.zip"
    download.value.save_as(broken)

    page.goto(f"{demo.url}/admin/console/audit/verifier")
    verdict = page.locator("[data-verifier] [data-verdict]")
    dropped(page, bundle)
    expect(verdict).to_have_attribute("data-state", "sound")
    page.set_input_files("[type=file]", tampered(bundle))
    expect(verdict).to_have_attribute("data-state", "broken")
    dropped(page, broken)
    expect(page.locator("[data-problems]")).to_contain_text("event 4: not the payload the event commits to")
    with page.expect_download() as download:
        page.click("text=Keep this page as a file")
    kept = tmp_path / "verifier.html"
    download.value.save_as(kept)

    alone = chromium.new_context(offline=True).new_page()
    alone.goto(kept.as_uri())
    alone.set_input_files("[type=file]", bundle)
    expect(alone.locator("[data-verdict]")).to_have_attribute("data-state", "sound")
    alone.set_input_files("[type=file]", broken)
    expect(alone.locator("[data-problems]")).to_contain_text("event 4: not the payload")
    alone.context.close()
    auditor.leaves()


@pytest.mark.parametrize("look", LOOKS)
def test_no_screen_has_a_barrier_and_none_is_wider_than_the_screen(
    chromium: Browser, demo: LiveServer, look: str
) -> None:
    auditor = Auditor(chromium, demo, **LOOKS[look])
    page = auditor.page
    addresses = [link.get_attribute("href") for link in page.locator("nav.lw-tabs a").all()]
    assert len(addresses) == len(TABS)
    while page.locator(".lw-traces a").count() == 0:
        page.reload()
    trail = page.locator(".lw-traces a").first.get_attribute("href").partition("?")[0]
    for address in (*addresses, trail, f"{trail}/lineage", "/admin/console/audit/people?name=ing_bank", "?colour=red"):
        page.goto(f"{demo.url}{address}" if address.startswith("/") else f"{demo.url}/admin/console/audit{address}")
        assert barriers(page) == [], address
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address
    auditor.leaves()
