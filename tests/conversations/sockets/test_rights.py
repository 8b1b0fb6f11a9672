"""A right is looked at again while the socket is open: what is taken away ends it within five seconds."""

import asyncio
import secrets

import pytest

from tests.conversations.sockets.people import login, run
from tests.conversations.sockets.watching import Api, watching
from tests.live_server import LiveServer

SECONDS = 5

ENDINGS = [
    ("get_user_model().objects.get(username='{name}').groups.clear()", 4403),
    ("get_user_model().objects.filter(username='{name}').update(is_active=False)", 4401),
    ("from django.contrib.sessions.models import Session; Session.objects.filter(pk='{session}').delete()", 4401),
    ("user = get_user_model().objects.get(username='{name}'); user.set_password('other'); user.save()", 4401),
]


@pytest.mark.parametrize(
    ("ending", "code"), ENDINGS, ids=["role removed", "disabled", "logged out", "password changed"]
)
async def test_a_person_who_loses_the_right_is_out(server: LiveServer, router: Api, ending: str, code: int) -> None:
    name = f"olga-{secrets.token_hex(4)}"
    session = await asyncio.to_thread(login, server, name, "operator")
    relationship = await router.opened()
    path = f"/ws/relationships/{relationship}"
    async with watching(server, path, session=session) as watcher, watching(server, path, api=router) as other:
        assert await watcher.events_until(1) == [1]
        await asyncio.to_thread(run, server, ending.format(name=name, session=session))
        assert await watcher.closed(within=SECONDS) == code
        await router.speak(relationship)
        assert await other.events_until(2) == [1, 2]
    async with watching(server, path, session=session) as again:
        assert await again.closed() == code


async def test_a_revoked_key_is_out(server: LiveServer) -> None:
    name = f"revoked-{secrets.token_hex(4)}"
    key = await asyncio.to_thread(server.manage, "create_api_key", name, "--role", "auditor")
    auditor = Api(server, "router")
    auditor.client.headers["Authorization"] = f"Bearer {key}"
    async with watching(server, "/ws/inbox", api=auditor) as watcher:
        await watcher.say(type="ping")
        await watcher.until(lambda message: message["type"] == "pong")
        code = (
            "from conversations.models import ApiKey\n"
            "from conversations.services.api_keys import revoke_api_key\n"
            f"revoke_api_key(ApiKey.objects.get(name={name!r}))"
        )
        await asyncio.to_thread(run, server, code)
        assert await watcher.closed(within=SECONDS) == 4401


async def test_a_login_without_a_role_watches_nothing(server: LiveServer) -> None:
    session = await asyncio.to_thread(login, server, f"new-{secrets.token_hex(4)}")
    for path in ("/ws/live", "/ws/inbox"):
        async with watching(server, path, session=session) as watcher:
            assert await watcher.closed() == 4403
