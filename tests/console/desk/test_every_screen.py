"""Every screen there is, judged by axe-core, light on a desk and dark on a telephone, in both languages."""

import pytest
from django.urls import reverse
from playwright.sync_api import Browser

from tests.console.desk.conftest import Visitor
from tests.live_server import LiveServer
from tests.seats import Seat, barriers, fits, plain_screens

pytestmark = pytest.mark.browser
LOOKS = {
    "light, desk": {"color_scheme": "light"},
    "dark, telephone, Dutch": {"color_scheme": "dark", "viewport": {"width": 390, "height": 844}, "locale": "nl"},
}


def is_page(seat: Seat, path: str) -> bool:
    """A page to be shown; some addresses give a file instead."""
    headers = seat.context.request.get(f"{seat.server.url}{path}").headers
    return "text/html" in headers["content-type"] and "attachment" not in headers.get("content-disposition", "")


@pytest.mark.parametrize("look", LOOKS)
def test_no_screen_has_a_barrier_and_none_is_wider_than_the_screen(
    look: str, chromium: Browser, server: LiveServer, sessions: dict[str, str], visitor: Visitor
) -> None:
    flow = visitor.opens(initiator="gym", driver="flow", flow="fitness")
    visitor.says(flow, "")
    visitor.says(flow, "I want to run 10 km, now 3 km")
    shop = visitor.opens(initiator="shop", driver="assistant")
    visitor.says(shop, "show me a red dress")
    handoff = visitor.asks_for_a_person(shop, "please")
    subjects = [reverse("console:conversation", args=[talk]) for talk in (flow, shop)]
    seat = Seat(chromium, server, sessions["root"], **LOOKS[look])
    for path in [*plain_screens().values(), *subjects, reverse("console:chat", args=[handoff])]:
        if not is_page(seat, path):
            continue
        seat.page.goto(f"{server.url}{path}")
        seat.page.wait_for_load_state("networkidle")
        assert barriers(seat.page) == [], path
        assert fits(seat.page), path
    assert seat.page.locator("html").get_attribute("lang") == LOOKS[look].get("locale", "en")
    seat.leaves()
