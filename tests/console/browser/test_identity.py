"""A person's way in, whole: made, invited, enrolled, recovered, deprived; on both sides of the screen."""

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.console.browser.conftest import PASSWORD, Desk
from tests.live_server import LiveServer

pytestmark = pytest.mark.browser
NO_LONGER_LIVE = "No longer live"


def looked_at(desk: Desk, name: str) -> None:
    """Free of barriers on a desk and on a telephone, in the light and in the dark; pictures where they are wanted."""
    folder = os.environ.get("LASTWORD_PICTURES")
    desk.page.wait_for_load_state()
    for look, size in (("desk", (1280, 900)), ("telephone", (390, 844))):
        desk.page.set_viewport_size({"width": size[0], "height": size[1]})
        for scheme in ("light", "dark"):
            desk.page.evaluate("dark => document.documentElement.classList.toggle('dark', dark)", scheme == "dark")
            assert desk.barriers() == [], (name, look, scheme)
            if folder:
                desk.page.screenshot(path=Path(folder) / f"{name}-{look}-{scheme}.png", full_page=True)
    desk.page.set_viewport_size({"width": 1280, "height": 900})
    desk.page.evaluate("document.documentElement.classList.remove('dark')")


def test_from_an_invitation_to_the_last_right_taken_away(chromium: Browser, strict_server: LiveServer) -> None:
    boss = Desk(chromium, strict_server, "boss")
    boss.types_password()
    boss.page.wait_for_url("**/two-factor/enrol**")
    looked_at(boss, "enrol")
    boss.begins()
    looked_at(boss, "enrol-begun")
    boss.finishes()
    assert len(set(boss.recovery_codes)) == 10
    looked_at(boss, "recovery-codes")
    boss.page.get_by_role("link", name="I have written them down").click()
    boss.page.wait_for_url("**/admin/console/")

    # an administrator makes an operator, who chooses a password by a link
    boss.goes("settings/people")
    boss.page.get_by_label("User name").fill("olga")
    boss.page.get_by_label("Operator:").check()
    looked_at(boss, "people")
    boss.page.get_by_role("button", name="Add").click()
    boss.page.wait_for_url(re.compile(r"/settings/people/\d+$"))
    looked_at(boss, "person")
    boss.page.get_by_role("button", name="Make a link").click()
    link = boss.page.locator("[data-once]").inner_text()
    looked_at(boss, "password-link")
    olga = Desk(chromium, strict_server, "olga")
    olga.page.goto(link)
    looked_at(olga, "welcome")
    for field in ("new_password1", "new_password2"):
        olga.page.fill(f"[name={field}]", PASSWORD)
    olga.page.get_by_role("button", name="Save the password").click()
    olga.types_password()
    olga.sets_it_up()
    olga.goes("settings/two-factor")
    expect(olga.page.get_by_text("10 recovery codes are left")).to_be_visible()
    expect(olga.page.get_by_role("button", name="Turn it off")).to_have_count(0)
    looked_at(olga, "two-factor")

    # an operator's own texts
    olga.goes("settings/canned")
    olga.page.get_by_role("textbox", name="Shortcut").fill("hello")
    olga.page.get_by_role("textbox", name="Text").fill("Good morning, how can I help?")
    olga.page.get_by_role("button", name="Add").click()
    expect(olga.page.get_by_role("heading", name="/hello")).to_be_visible()
    looked_at(olga, "canned")

    # a key is shown once
    boss.goes("settings/keys")
    boss.page.get_by_role("textbox", name="Name").fill("integration")
    looked_at(boss, "keys")
    boss.page.get_by_role("button", name="Make the key").click()
    key = boss.page.locator("[data-once]").inner_text()
    assert key.startswith("lw_")
    looked_at(boss, "key-made")
    boss.goes("settings/keys")
    assert key not in boss.page.content()
    assert key[:10] in boss.page.content()

    # the role is taken away while the page is open
    olga.goes("live")
    olga.page.wait_for_function("() => document.querySelector('[data-connection]')?.hidden === true")
    boss.goes("settings/people")
    boss.page.get_by_role("link", name="olga").click()
    boss.page.get_by_label("Operator:").uncheck()
    boss.page.get_by_role("button", name="Save the roles").click()
    expect(olga.page.locator("[data-connection]")).to_contain_text(NO_LONGER_LIVE)
    assert olga.page.goto(f"{strict_server.url}/admin/console/live").status == 403
    boss.page.get_by_label("Operator:").check()
    with boss.page.expect_navigation():  # the page before says the same words
        boss.page.get_by_role("button", name="Save the roles").click()
    expect(boss.page.get_by_text("they hold at once")).to_be_visible()

    # without the telephone: a code on paper, once
    for attempt in range(2):
        olga.logs_out()
        olga.types_password()
        olga.types_code(olga.recovery_codes[0])
        if attempt == 0:
            olga.page.wait_for_url("**/admin/console/")
    expect(olga.page.get_by_role("alert")).to_contain_text("not the code")
    looked_at(olga, "code")
    for desk in (boss, olga):
        desk.leaves()
