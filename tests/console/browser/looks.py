"""A page judged in every look it has."""

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

LOOKS = {"dark": (1280, 900), "telephone": (390, 844), "light": (1280, 900)}


def assert_usable_by_everybody(page: Page) -> None:
    """No barrier axe knows of and nothing wider than the screen: in the dark, on a telephone, in light."""
    for look, (width, height) in LOOKS.items():
        # colours that fade from one look to the next would be judged half way
        page.emulate_media(color_scheme="dark" if look == "dark" else "light", reduced_motion="reduce")
        page.set_viewport_size({"width": width, "height": height})
        found = Axe().run(page, context=".lw").response["violations"]
        barriers = [f"{each['id']}: {node['html'][:200]}" for each in found for node in each["nodes"]]
        assert barriers == [], f"{page.url} ({look}): {barriers}"
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{page.url} ({look})"
