"""Who may not watch, and what may not be said: always told why, never served on."""

import json
import uuid

import pytest

from tests.conversations.sockets.watching import Api, Watcher, watching
from tests.live_server import LiveServer

PATHS = ["/ws/live", "/ws/inbox", f"/ws/relationships/{uuid.UUID(int=7)}"]


@pytest.mark.parametrize("path", PATHS)
async def test_nobody_watches_without_a_login(server: LiveServer, path: str) -> None:
    async with watching(server, path) as watcher:
        assert await watcher.closed() == 4401
    assert watcher.heard == []


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("ticket", ["made-up", "WzEsIngiXQ:1abcde:AAAA"])
async def test_a_made_up_ticket_is_no_login(server: LiveServer, path: str, ticket: str) -> None:
    async with watching(server, f"{path}?ticket={ticket}") as watcher:
        assert await watcher.closed() == 4401


async def test_a_ticket_opens_one_socket(server: LiveServer, router: Api) -> None:
    path = f"/ws/live?ticket={await router.ticket()}"
    async with watching(server, path) as first:
        await heard_of(first)  # a socket is accepted before its ticket is looked at
        async with watching(server, path) as second:
            assert await second.closed() == 4401
        await heard_of(first)


async def heard_of(watcher: Watcher) -> None:
    await watcher.say(type="ping")
    await watcher.until(lambda message: message["type"] == "pong")


@pytest.mark.parametrize("path", PATHS)
async def test_an_editors_key_has_no_right_to_watch(server: LiveServer, path: str) -> None:
    async with watching(server, path, api=Api(server, "editor")) as watcher:
        assert await watcher.closed() == 4403


async def test_a_party_watches_its_own_conversations_only(server: LiveServer, router: Api) -> None:
    mine, foreign = await router.opened(initiator="ann", responder="bob"), await router.opened()
    ann = Api(server, "participant", "ann")
    async with watching(server, f"/ws/relationships/{mine}", api=ann) as watcher:
        assert await watcher.events_until(1) == [1]
    for unknown in (foreign, uuid.UUID(int=7)):
        async with watching(server, f"/ws/relationships/{unknown}", api=ann) as watcher:
            assert await watcher.closed() == 4403
    async with watching(server, "/ws/inbox", api=ann) as watcher:
        assert await watcher.closed() == 4403
    async with watching(server, "/ws/live", api=ann) as watcher:
        assert (await watcher.next())["id"] == mine
        await router.speak(foreign)
        await router.speak(mine, sender="ann")
        assert (await watcher.until(lambda message: message["type"] == "summary"))["id"] == mine


async def test_a_conversation_that_does_not_exist_says_so(server: LiveServer, router: Api) -> None:
    async with watching(server, f"/ws/relationships/{uuid.UUID(int=7)}", api=router) as watcher:
        assert await watcher.closed() == 4404


@pytest.mark.parametrize("after", ["x", "-1", "1.5", "9999999999", "١"])
async def test_a_senseless_sequence_number_is_refused(server: LiveServer, router: Api, after: str) -> None:
    path = f"/ws/relationships/{await router.opened()}?after_seq={after}"
    async with watching(server, path, api=router) as watcher:
        assert await watcher.closed() == 4400
    assert watcher.heard[-1]["code"] == "invalid_after_seq"


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("hello", "invalid_json"),
        ('"viewing"', "unknown_message"),
        ("[" * 4000, "invalid_json"),
        ('{"type": "shout"}', "unknown_message"),
        ('{"type": ["ping"]}', "unknown_message"),
        ('{"type": "viewing", "relationship": 7}', "invalid_relationship"),
        (json.dumps({"type": "ping", "filler": "x" * 5000}), "message_too_large"),
        (json.dumps({"type": "ping", "filler": "x" * 500_000}), "message_too_large"),
        (b'{"type": "ping"}', "not_text"),
    ],
)
async def test_what_no_client_should_say_is_named_and_ends_the_socket(
    server: LiveServer, router: Api, said: str | bytes, code: str
) -> None:
    async with watching(server, "/ws/inbox", api=router) as watcher:
        await watcher.socket.send(said)
        assert await watcher.closed() == 4400
    error = watcher.heard[-1]
    assert (error["type"], error["code"]) == ("error", code)
    assert error["detail"]


async def test_another_sites_page_is_refused_even_with_a_good_ticket(server: LiveServer, router: Api) -> None:
    async with watching(server, "/ws/live", api=router, origin="https://evil.example") as watcher:
        assert await watcher.closed() == 4403
    assert watcher.heard == []
    async with watching(server, "/ws/live", api=router, origin=server.url) as watcher:
        await watcher.say(type="ping")
        await watcher.until(lambda message: message["type"] == "pong")
