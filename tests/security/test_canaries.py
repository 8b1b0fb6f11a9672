"""What people say never ends up in a log, whichever way it came in and whatever became of it."""

import asyncio
import json
from collections.abc import Iterator
from datetime import UTC, datetime

import httpx
import pytest

from tests.conversations.channels.chatwoot_world import SECRET, message, signed_headers
from tests.conversations.sockets.watching import Api, watching
from tests.live_server import LiveServer, serve

pytestmark = pytest.mark.stack
CANARY = "canary-8f3a1d"


@pytest.fixture(scope="module")
def talkative() -> Iterator[LiveServer]:
    """A server that logs all it ever would."""
    with serve(LASTWORD_LOG_LEVEL="DEBUG") as running:
        yield running


async def test_no_word_of_anybody_is_logged(talkative: LiveServer) -> None:
    router, operator = Api(talkative, "router"), Api(talkative, "operator")
    parties = {"initiator": f"bank-{CANARY}", "responder": f"you-{CANARY}"}
    relationship = await router.opened(**parties, humotica=CANARY, context={CANARY: CANARY})
    said = {"sender": parties["initiator"], "intent": "offer", "humotica": CANARY}
    await router.post(f"/relationships/{relationship}/intents", said)
    taken = await operator.post(f"/relationships/{relationship}/takeover", {"reason": CANARY})
    await operator.post(f"/handoffs/{taken['id']}/note", {"text": CANARY})
    channel = {"kind": "chatwoot", "name": "Web", "secret": SECRET, "base_url": "https://chat.invalid", "account_id": 1}
    path = (await router.post("/channels", channel))["webhook_path"]
    body = json.dumps(message(1, CANARY, sender={"id": 7, "name": CANARY})).encode()
    signed = {name.replace("_", "-"): value for name, value in signed_headers(body, at=datetime.now(UTC)).items()}
    async with httpx.AsyncClient(base_url=talkative.url, timeout=60) as outside:
        for headers in (signed, {}):
            await outside.post(path, content=body, headers=headers)
        for refused in (f"/api/v1/relationships/{CANARY}", f"/{CANARY}?q={CANARY}", f"/admin/login/?next=/{CANARY}"):
            await outside.get(refused, headers={"Authorization": f"Bearer {CANARY}", "Cookie": f"sessionid={CANARY}"})
        page = await outside.get("/admin/login/")
        token = page.cookies["csrftoken"]
        form = {"username": CANARY, "password": CANARY, "csrfmiddlewaretoken": token}
        await outside.post("/admin/login/", data=form, headers={"Referer": talkative.url})
        await outside.post("/api/v1/threads/x/events", content=f'{{"{CANARY}": ', headers=router.client.headers)
    async with watching(talkative, f"/ws/relationships/{relationship}", api=router) as watcher:
        await watcher.events_until(5)
        await watcher.socket.send(CANARY)
        assert await watcher.closed() == 4400
    log = await asyncio.to_thread(talkative.log.read_text, errors="replace")
    lines = [line for line in log.splitlines() if CANARY in line]
    assert log
    assert lines == []
