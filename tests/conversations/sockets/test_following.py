"""Following one conversation: every event once, in order, whatever happens to the connection."""

import asyncio

from tests.conversations.sockets.watching import Api, watching
from tests.live_server import LiveServer


async def test_what_happened_before_comes_first_and_what_happens_then_follows(server: LiveServer, router: Api) -> None:
    relationship = await router.opened()
    await router.speak(relationship, 3)
    async with watching(server, f"/ws/relationships/{relationship}", api=router) as watcher:
        assert await watcher.events_until(4) == [1, 2, 3, 4]
        assert [each["type"] for each in watcher.heard[:4]] == ["event"] * 4, "who else is there comes after"
        await router.speak(relationship, 2)
        assert await watcher.events_until(6) == [1, 2, 3, 4, 5, 6]
    last = watcher.heard[-1]
    assert last["relationship"] == relationship
    assert (last["event"]["type"], last["event"]["payload"]["intent"]) == ("intent", "ask_1")


async def test_a_reconnecting_reader_gets_exactly_what_it_missed(server: LiveServer, router: Api) -> None:
    relationship = await router.opened()
    path = f"/ws/relationships/{relationship}"
    async with watching(server, path, api=router) as watcher:
        assert await watcher.events_until(1) == [1]
    await router.speak(relationship, 5)
    async with watching(server, f"{path}?after_seq=1", api=router) as watcher:
        assert await watcher.events_until(6) == [2, 3, 4, 5, 6]


async def test_no_gap_and_no_repeat_while_many_speak_and_readers_come_and_go(server: LiveServer, router: Api) -> None:
    relationship = await router.opened()
    path = f"/ws/relationships/{relationship}"
    speakers, said, last = 8, 25, 1 + 8 * 25

    async def comes_and_goes() -> list[int]:
        heard: list[int] = []
        while len(heard) < last:
            after = heard[-1] if heard else 0
            async with watching(server, f"{path}?after_seq={after}", api=router) as watcher:
                heard += await watcher.events_until(min(after + 40, last))
        return heard

    async def stays() -> list[int]:
        async with watching(server, path, api=router) as watcher:
            return await watcher.events_until(last)

    readers = [asyncio.create_task(each) for each in (stays(), stays(), comes_and_goes(), comes_and_goes())]
    await asyncio.gather(*(router.speak(relationship, said) for _ in range(speakers)))
    assert await asyncio.gather(*readers) == [list(range(1, last + 1))] * 4
