"""What others write is shown as text, on every screen there is, however it came in; and no page breaks its policy.

The screens are walked by their addresses, so that a new one is among them the day it is served.
"""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from django.urls import reverse
from playwright.sync_api import Browser, expect

from config.console import patterns
from tests.chromium import Tab
from tests.console.browser.conftest import MAKE_ADMINISTRATOR, PASSWORD
from tests.conversations.channels.chatwoot_world import SECRET, message, signed_headers
from tests.flows.api.support import contact_flow
from tests.live_server import LiveServer
from tests.seats import fits

pytestmark = pytest.mark.browser

MARK = "lw-canary"
RUN = "window.pwned=1;alert(1)"
CORPUS = [
    f"<script>{RUN}</script><{MARK}>",
    f"</script><script>{RUN}</script><{MARK}>",
    f"<img src=x onerror='{RUN}'><{MARK}>",
    f'"><svg onload={RUN}><{MARK}>',
    f"' autofocus onfocus={RUN} x='<{MARK}>",
    f"</textarea></title></style><{MARK}><iframe srcdoc='<script>parent.{RUN}</script>'>",
    f'<div x-data x-init="{RUN}" hx-get="/x" hx-trigger="load"><{MARK}></div>',
    f"<a href='javascript:{RUN}'>click</a><{MARK}>",
    f"&lt;{MARK}&gt; {{{{ 7|add:7 }}}} {{% debug %}} ${{{RUN}}} <!--<{MARK}>-->",
    f"\u202eright-to-left \u200b\u0007<{MARK}>\U0001f600",
]
ALL = " ".join(CORPUS)
FLOW = "hostile"
SAID_LATE = f"pushed while looking <img src=x onerror='{RUN}'><{MARK}>"
# What fills the places in addresses.
Places = dict[str, Any]


class Api:
    """The outside world, in its most unpleasant mood."""

    def __init__(self, server: LiveServer) -> None:
        self.server = server

    def post(self, role: str, path: str, body: Any, participant: str | None = None) -> dict[str, Any]:
        key = self.server.key(role, participant)
        url = f"{self.server.url}/api/v1{path}"
        answer = httpx.post(url, json=body, headers={"Authorization": f"Bearer {key}"}, timeout=60)
        assert answer.is_success, (path, answer.text)
        return dict(answer.json())

    def opened(self, **terms: Any) -> str:
        given = {"initiator": f"bank {CORPUS[2]}", "responder": f"you {CORPUS[3]}", "humotica": ALL, **terms}
        given |= {"context": {CORPUS[0]: ALL, "list": CORPUS}, "roles": {"role": CORPUS[5]}}
        return str(self.post("router", "/relationships", given)["id"])

    def hears(self, path: str, number: int, text: str) -> None:
        """A signed webhook."""
        told = message(number, text, sender={"id": 7, "name": f"Ada {CORPUS[2]}"})
        body = json.dumps(told).encode()
        headers = {name.replace("_", "-"): value for name, value in signed_headers(body, at=datetime.now(UTC)).items()}
        assert httpx.post(f"{self.server.url}{path}", content=body, headers=headers, timeout=60).is_success


@pytest.fixture(scope="module")
def places(server_process: LiveServer) -> Places:
    """Hostile words in every field that takes words, and where to find them."""
    api = Api(server_process)
    document = contact_flow(name=ALL[:200])
    document["nodes"][0] |= {"title": ALL[:200], "prompts": [ALL]}
    document["nodes"][1] |= {"title": CORPUS[3], "prompts": CORPUS}
    api.post("editor", "/flows", {"slug": FLOW, "name": ALL[:200], "definition": document})
    api.post("editor", f"/flows/{FLOW}/publish", {"note": ALL[:200]})
    api.post("router", "/personas", {"handle": "ada", "name": CORPUS[2]})
    api.post("router", "/catalog/products", [{"id": "p", "name": ALL[:200], "price": 1, "currency": "EUR"}])
    relationship = api.opened()
    for text in CORPUS[:4]:
        said = {"sender": f"bank {CORPUS[2]}", "intent": "offer", "humotica": text, "context": {text: text}}
        api.post("router", f"/relationships/{relationship}/intents", said)
    handoff = api.post("operator", f"/relationships/{relationship}/takeover", {"reason": ALL[:400]})["id"]
    for text in CORPUS:
        api.post("operator", f"/handoffs/{handoff}/note", {"text": text})
        api.post("operator", f"/handoffs/{handoff}/reply", {"text": text})
    talk = api.opened(driver="flow", flow=FLOW)
    for number, text in enumerate(["", *CORPUS[:2]]):
        api.post("router", f"/relationships/{talk}/turns", {"message_id": str(number), "text": text})
    closed = api.opened()
    api.post("router", f"/relationships/{closed}/close", {"closure_type": "completed", "summary": ALL})
    inbox = {"kind": "chatwoot", "name": f"Web {CORPUS[2]}"[:100], "secret": SECRET, "base_url": "https://chat.invalid"}
    channel = api.post("router", "/channels", {**inbox, "account_id": 1, "driver": "flow", "flow": FLOW})
    api.hears(channel["webhook_path"], 1, CORPUS[2])
    told = {"url": "https://hooks.invalid/<lw-canary>", "secret": SECRET, "events": []}
    subscription = api.post("router", "/webhook-subscriptions", told)
    server_process.manage("shell", "-v", "0", "-c", MAKE_ADMINISTRATOR.format(name="wilma", password=PASSWORD))
    server_process.manage("shell", "-v", "0", "-c", MAKE_HOSTILE.format(text=ALL, short=CORPUS[2]))
    named = {"relationship_id": relationship, "handoff_id": handoff, "slug": FLOW, "version": 1, "handle": "ada"}
    rows = json.loads(server_process.manage("shell", "-v", "0", "-c", FIND))
    return {
        **named,
        "channel_id": channel["id"],
        "subscription_id": subscription["id"],
        **rows,
        "kind": "user",
        "id": str(rows["person_id"]),
    }


MAKE_HOSTILE = """
from django.contrib.auth import get_user_model
from conversations.services.api_keys import create_api_key
from conversations.services.canned_replies import save_canned_reply
save_canned_reply(shortcut="hostile", text={text!r})
create_api_key(name={short!r}, role="router")
get_user_model().objects.create_user("mallory", first_name={short!r}, is_staff=True)
"""
FIND = """
import json
from django.contrib.auth import get_user_model
from conversations.models import Delivery
print(json.dumps({"person_id": get_user_model().objects.get(username="mallory").pk,
                  "delivery_id": str(Delivery.objects.latest("pk").pk)}))
"""


@pytest.fixture
def tab(chromium: Browser, server: LiveServer, places: Places) -> Iterator[Tab]:
    somebody = Tab(chromium)
    somebody.expects_no_dialog()
    somebody.page.goto(f"{server.url}/admin/login/?next=/admin/console/")
    somebody.page.fill("[name=username]", "wilma")
    somebody.page.fill("[name=password]", PASSWORD)
    somebody.page.click("[type=submit]")
    somebody.page.wait_for_url("**/admin/console/")
    yield somebody
    somebody.leaves()


def harmless(tab: Tab) -> None:
    made = tab.page.evaluate(f"() => [document.querySelectorAll('{MARK}').length, typeof window.pwned]")
    assert made == [0, "undefined"], tab.page.url


def keeps_its_width(tab: Tab) -> None:
    """Whole pages do; a piece of one, which its page fetches, has no style of its own."""
    if tab.page.evaluate("document.doctype === null"):
        return
    for width in (390, 1280):
        tab.page.set_viewport_size({"width": width, "height": 900})
        # charts follow the width of the screen a moment later
        for _ in range(50):
            if fits(tab.page):
                break
            tab.page.wait_for_timeout(100)
        assert fits(tab.page), (tab.page.url, width)


def screens(places: Places) -> Iterator[str]:
    """Every address that can be looked at; one whose places nobody can fill fails, so that it is not forgotten."""
    for pattern in patterns():
        if "GET" in pattern.callback.view_class.roles:
            wanted = pattern.pattern.converters
            if "job_id" not in wanted:
                yield reverse(f"console:{pattern.name}", kwargs={name: places[name] for name in wanted})


def test_hostile_words_are_text_on_every_screen(tab: Tab, server: LiveServer, places: Places) -> None:
    seen = []
    for address in screens(places):
        for query in ("", f"?q={quote(CORPUS[2])}"):
            answer = tab.context.request.get(f"{server.url}{address}{query}")
            assert answer.status < 500, address
            assert "script-src 'self'" in answer.headers["content-security-policy"], address
            is_page = answer.headers["content-type"].startswith("text/html")
            if answer.ok and is_page and "content-disposition" not in answer.headers:
                tab.page.goto(f"{server.url}{address}{query}")
                harmless(tab)
                keeps_its_width(tab)
                seen.append(address)
    assert len(set(seen)) > 20
    tab.page.goto(f"{server.url}{reverse('console:conversation', args=[places['relationship_id']])}")
    shown = tab.page.locator("[data-screen]").inner_text()
    assert all(text.split("<", 1)[0] in shown and f"<{MARK}>" in shown for text in CORPUS[:4])


def test_what_a_socket_brings_while_the_page_is_open_is_text_too(tab: Tab, server: LiveServer, places: Places) -> None:
    page = reverse("console:conversation", args=[places["relationship_id"]])
    tab.page.goto(f"{server.url}{page}")
    tab.page.wait_for_function("() => document.querySelector('[data-connection]')?.hidden === true")
    Api(server).post("operator", f"/handoffs/{places['handoff_id']}/reply", {"text": SAID_LATE})
    expect(tab.page.get_by_text("pushed while looking").first).to_be_visible()
    harmless(tab)
    tab.page.goto(f"{server.url}{reverse('console:chat', args=[places['handoff_id']])}")
    Api(server).post("operator", f"/handoffs/{places['handoff_id']}/note", {"text": f"again {SAID_LATE}"})
    expect(tab.page.get_by_text("again pushed while looking").first).to_be_visible()
    harmless(tab)
