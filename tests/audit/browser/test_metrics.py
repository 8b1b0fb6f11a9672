"""Somebody reads the metrics in Chromium: each tab, another range, down to the conversations, the CSV."""

import csv
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, expect

from tests.flows.api.support import SLUG, contact_flow
from tests.live_server import LiveServer
from tests.seats import Seat, barriers, fits, sign_in

pytestmark = pytest.mark.browser
LOOKS = {
    "light desk": {"color_scheme": "light"},
    "dark telephone": {"color_scheme": "dark", "viewport": {"width": 390, "height": 844}},
}
TABS = ["Conversations", "Flows", "Guards", "Handoffs", "Satisfaction", "Response times"]


@pytest.fixture(scope="module")
def talked(server_process: LiveServer) -> None:
    """One visitor who got through a flow, one who was handed over and left, a rating, and a relay that was answered."""
    router, editor = (api(server_process, role) for role in ("router", "editor"))
    with router, editor:
        made(editor.post("/flows", json={"slug": SLUG, "name": "Contact", "definition": contact_flow()}))
        made(editor.post(f"/flows/{SLUG}/publish", json={"note": ""}))
        for replies in ([{"contact_email": "ann@example.org"}], [{}, {}]):
            path = opened(router, driver="flow", flow=SLUG)
            for number, facts in enumerate([{}, *replies]):
                body = {"message_id": str(number), "text": "hello" if number else "", "facts": facts}
                made(router.post(f"{path}/turns", json=body))
        made(router.post(f"{path}/close", json={"closure_type": "user_terminated"}))
        made(router.post(f"{path}/rating", json={"score": 4}))
        relay = opened(router)
        made(router.post(f"{relay}/intents", json={"sender": "bank", "intent": "offer"}))
        made(router.post(f"{relay}/responses", json={"sender": "customer", "response": "accepted"}))
        made(router.post(f"{relay}/close", json={"closure_type": "completed"}))
        made(router.post("/threads/k/events", json={"event_id": "1", "sender": "joe", "text": "x", "bot_id": "B"}))
    server_process.manage("rebuild_rollups")


def api(server: LiveServer, role: str) -> httpx.Client:
    headers = {"Authorization": f"Bearer {server.key(role)}"}
    return httpx.Client(base_url=f"{server.url}/api/v1", headers=headers, timeout=60)


def made(answer: httpx.Response) -> dict[str, str]:
    assert answer.is_success, answer.text
    told: dict[str, str] = answer.json()
    return told


def opened(router: httpx.Client, **terms: str) -> str:
    body = {"initiator": "bank", "responder": "customer", **terms}
    return f"/relationships/{made(router.post('/relationships', json=body))['id']}"


@pytest.fixture(params=LOOKS)
def vera(request: pytest.FixtureRequest, chromium: Browser, server: LiveServer, talked: None) -> Iterator[Seat]:
    session = sign_in(server, {"vera": ["viewer"]})["vera"]
    seat = Seat(chromium, server, session, **LOOKS[request.param])
    yield seat
    seat.leaves()


def test_every_tab_is_read_narrowed_followed_and_taken_home(vera: Seat, tmp_path: Path) -> None:
    page = vera.opens("/metrics")
    for tab in TABS:
        page.get_by_role("navigation", name="Metrics").get_by_role("link", name=tab, exact=True).click()
        expect(page.locator(".lw-tabs [aria-current]")).to_have_text(tab)
        expect(page.locator("canvas").first).to_be_visible()
        assert barriers(page) == [], tab
        assert fits(page), tab
    drawn = page.evaluate("[...document.querySelectorAll('canvas')].every((each) => Chart.getChart(each))")
    assert drawn, "every chart is drawn"

    page.locator(".lw-tabs").get_by_role("link", name="Flows", exact=True).click()
    page.locator("select[name=flow]").select_option(SLUG)
    page.get_by_role("button", name="Show").click()
    nodes = page.locator("#nodes")
    expect(nodes.get_by_role("row").filter(has_text="mail-1")).to_contain_text("50.0 %")
    assert barriers(page) == []
    with page.expect_download() as download:
        nodes.get_by_role("link", name="CSV").click()
    download.value.save_as(tmp_path / "nodes.csv")
    with (tmp_path / "nodes.csv").open(encoding="utf-8") as file:
        assert {"mail-1", "hello-1"} <= {row["key"] for row in csv.DictReader(file)}

    page.locator("#handoff_points canvas").scroll_into_view_if_needed()
    click_first_bar(vera, "#handoff_points canvas")
    page.wait_for_url("**/metrics/conversations?measure=node_handed**")
    expect(page.get_by_role("heading", name="Handed over at the node: mail-1")).to_be_visible()
    expect(page.locator("tbody tr")).to_have_count(1)
    assert barriers(page) == []
    assert fits(page)
    page.locator("tbody a").click()
    page.wait_for_url("**/console/conversations/**")

    page = vera.opens("/metrics?from=2026-01-02&to=2026-01-01")
    expect(page.get_by_role("alert")).to_contain_text("The first day comes after the last.")
    assert barriers(page) == []
    page.get_by_role("link", name="Show the last 30 days").click()
    page.locator("[name=from]").fill("2025-01-01")
    page.locator("[name=to]").fill("2025-01-31")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_text("Nothing of this happened in these days").first).to_be_visible()


def click_first_bar(seat: Seat, chart: str) -> None:
    """Where Chart.js drew it."""
    place = seat.page.evaluate(
        """(chart) => {
            const canvas = document.querySelector(chart), bar = Chart.getChart(canvas).getDatasetMeta(0).data[0];
            const box = canvas.getBoundingClientRect();
            return [box.left + bar.x, box.top + (bar.y + bar.base) / 2];
        }""",
        chart,
    )
    seat.page.mouse.click(*place)
