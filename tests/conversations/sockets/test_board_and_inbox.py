"""The board's summaries, the queue, and who is where."""

import asyncio
from typing import Any

from tests.conversations.sockets.watching import Api, summary_of, watching
from tests.live_server import LiveServer


def presence_of(relationship: str, *people: tuple[str, str, str]) -> Any:
    def is_it(message: dict[str, Any]) -> bool:
        if message["type"] != "presence" or message["relationship"] != relationship:
            return False
        return [(each["name"], each["side"], each["activity"]) for each in message["people"]] == list(people)

    return is_it


async def test_the_board_shows_what_is_there_and_follows_it_to_its_end(server: LiveServer, router: Api) -> None:
    relationship = await router.opened(max_depth=5)
    async with watching(server, "/ws/live", api=router) as board:
        shown = await board.until(summary_of(relationship))
        assert shown["parties"] == {"initiator": "bank", "responder": "customer"}
        assert (shown["depth"], shown["max_depth"], shown["driver"], shown["channel"]) == (0, 5, "relay", "rest")
        assert (shown["state"], shown["closed"], shown["current"]) == ("active", False, None)
        assert shown["owner"] == {"kind": "bot", "operator": None, "version": 0}
        await router.speak(relationship)
        moved = await board.until(summary_of(relationship))
        assert (moved["depth"], moved["last_line"], moved["seq"]) == (1, "ask_0", 2)
        await router.post(f"/relationships/{relationship}/close", {"closure_type": "completed"})
        assert (await board.until(summary_of(relationship, closed=True)))["closure_type"] == "completed"
    async with watching(server, "/ws/live", api=router) as later:
        marker = await router.opened()
        await later.until(summary_of(marker))
    assert relationship not in {message.get("id") for message in later.heard}


async def test_the_inbox_follows_a_handoff_from_request_to_claim(
    server: LiveServer, router: Api, operator: Api
) -> None:
    relationship = await router.opened()
    async with watching(server, "/ws/inbox", api=operator) as inbox:
        asked = await operator.post(f"/relationships/{relationship}/handoff", {"reason": "please"}, status=201)
        told = await inbox.until(lambda message: message.get("handoff", {}).get("id") == asked["id"])
        assert {**asked, "wait_seconds": 0} == {**told["handoff"], "wait_seconds": 0}
        await operator.post(f"/handoffs/{asked['id']}/claim", {"version": asked["version"]})
        claimed = await inbox.until(lambda message: message.get("handoff", {}).get("id") == asked["id"])
        assert (claimed["handoff"]["status"], claimed["handoff"]["operator"]) == ("claimed", "test-operator")
    async with watching(server, "/ws/inbox", api=operator) as later:
        found = await later.until(lambda message: message.get("handoff", {}).get("id") == asked["id"])
        assert found["handoff"]["status"] == "claimed"
        await router.post(f"/relationships/{relationship}/close", {"closure_type": "completed"})
        ended = await later.until(lambda message: message.get("handoff", {}).get("id") == asked["id"])
        assert ended["handoff"]["status"] == "resolved"


async def test_who_views_and_who_writes_is_seen_and_forgotten(server: LiveServer, router: Api, operator: Api) -> None:
    relationship = await router.opened()
    path, customer = f"/ws/relationships/{relationship}", Api(server, "participant", "customer")
    me, visitor = "test-operator", "customer"
    async with (
        watching(server, "/ws/inbox", api=operator) as inbox,
        watching(server, path, api=customer) as theirs,
    ):
        async with watching(server, path, api=operator) as mine:
            await mine.say(type="viewing")
            await inbox.until(presence_of(relationship, (me, "operator", "viewing")))
            await theirs.say(type="typing")
            await mine.until(
                presence_of(relationship, (visitor, "participant", "writing"), (me, "operator", "viewing"))
            )
            await mine.say(type="typing")
            told = await theirs.until(lambda message: "operator" in message.get("writing", []))
            assert me not in str(theirs.heard), "the visitor learns that somebody writes, not who, nor who watches"
            assert "people" not in told
        await inbox.until(
            lambda message: message["type"] == "presence" and me not in str(message) and visitor in str(message)
        )
        # nothing more is heard of the visitor's writing: it fades by itself
        await inbox.until(presence_of(relationship, (visitor, "participant", "viewing")))
    async with watching(server, "/ws/inbox", api=operator) as inbox:
        await asyncio.sleep(0.5)
        await inbox.say(type="ping")
        await inbox.until(lambda message: message["type"] == "pong")
    assert not any(message.get("relationship") == relationship for message in inbox.heard)
