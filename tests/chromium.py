"""Chromium for tests of pages: one browser for the session, and desks that collect whatever a page complains of."""

import os
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Dialog, Page, sync_playwright

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
DESKTOP = {"width": 1280, "height": 900}
PATIENCE = 60_000


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        path = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield browser
        browser.close()


class Tab:
    """A page that is watched: a script's error or a breach of the content policy is a failure."""

    def __init__(self, chromium: Browser, **look: Any) -> None:
        self.context: BrowserContext = chromium.new_context(**{"viewport": DESKTOP, **look})
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE)
        self.failures: list[str] = []
        self.page.on("pageerror", lambda error: self.failures.append(f"{self.page.url}: {error}"))
        self.page.on("console", self.heard)

    def heard(self, said: ConsoleMessage) -> None:
        if "Content Security" in said.text or "Content-Security" in said.text:
            self.failures.append(f"{self.page.url}: {said.text}")

    def expects_no_dialog(self) -> None:
        """From here on a page that asks something fails, too."""
        self.page.on("dialog", self.was_asked)

    def was_asked(self, dialog: Dialog) -> None:
        self.failures.append(f"a dialog: {dialog.message}")
        dialog.dismiss()

    def leaves(self) -> None:
        self.context.close()
        assert not self.failures, self.failures
