"""An operator types at a socket of ours, and the visitor's Chatwoot is told, by a process that never waits for it."""

import asyncio
import json
from collections.abc import Iterator

import pytest

from tests.conversations.channels import chatwoot_world as world
from tests.conversations.channels.remote_server import Remote, chatwoot_answers, serving
from tests.conversations.sockets.watching import Api, watching
from tests.live_server import LiveServer, serve

SECONDS = 20
WORK = "from conversations.services.deliveries import work_due; work_due()"


@pytest.fixture
def chatwoot() -> Iterator[Remote]:
    with serving(chatwoot_answers()) as remote:
        yield remote


@pytest.fixture
def server() -> Iterator[LiveServer]:
    """One that may call a Chatwoot on this machine."""
    with serve(LASTWORD_ALLOW_PRIVATE_URLS="1") as running:
        yield running


async def told(chatwoot: Remote, *wanted: str) -> None:
    async with asyncio.timeout(SECONDS):
        while True:
            calls = [call.json for call in list(chatwoot.calls) if call.path.endswith("/42/toggle_typing_status")]
            if [call["typing_status"] for call in calls] == list(wanted):
                return
            await asyncio.sleep(0.05)


async def test_the_visitor_in_chatwoot_sees_the_operator_type(
    server: LiveServer, router: Api, operator: Api, chatwoot: Remote
) -> None:
    terms = {"kind": "chatwoot", "name": "Web", "secret": world.SECRET, "base_url": chatwoot.url, "account_id": 1}
    channel = await router.post("/channels", {**terms, "token": "bot", "driver": "assistant"}, status=201)
    body = json.dumps(world.message(1, "Hello")).encode()
    headers = {name.replace("_", "-"): value for name, value in world.signed_headers(body).items()}
    await router.client.post(channel["webhook_path"].removeprefix("/api/v1"), content=body, headers=headers)
    # a server of production leaves this to a worker, which it does not have here
    await asyncio.to_thread(server.manage, "shell", "-v", "0", "-c", WORK)
    async with asyncio.timeout(SECONDS):
        while not (rows := (await router.client.get("/relationships")).json()["results"]):
            await asyncio.sleep(0.1)
    relationship = rows[0]["id"]
    await operator.post(f"/relationships/{relationship}/takeover", {"reason": "mine"}, status=201)

    async with watching(server, f"/ws/relationships/{relationship}", api=operator) as mine:
        for _ in range(3):
            await mine.say(type="typing")
        await told(chatwoot, "on")
        await mine.say(type="viewing")
        await told(chatwoot, "on", "off")
        await mine.say(type="typing")
        await told(chatwoot, "on", "off", "on")
    await told(chatwoot, "on", "off", "on", "off")
