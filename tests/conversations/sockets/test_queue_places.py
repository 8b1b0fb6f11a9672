"""A visitor who waits is told their number when it changes, and only then."""

from typing import Any

from conversations.domain.queue_places import moved
from tests.conversations.sockets.watching import Api, Watcher, watching
from tests.live_server import LiveServer


def test_who_moved_hears_their_new_number_and_who_left_that_there_is_none() -> None:
    assert moved({"a": 1, "b": 2, "c": 3}, {"b": 1, "c": 2, "d": 3}) == {"a": None, "b": 1, "c": 2, "d": 3}
    assert moved({"a": 1}, {"a": 1}) == {}


async def asked(router: Api, relationship: str) -> dict[str, Any]:
    return await router.post(f"/relationships/{relationship}/handoff", {"reason": "please"}, status=201)


async def told(visitor: Watcher) -> int | None:
    message = await visitor.until(lambda message: message["type"] == "queue")
    assert message.keys() == {"type", "relationship", "position"}, "nothing of the handoff itself"
    position: int | None = message["position"]
    return position


async def test_the_number_goes_down_as_others_are_helped(server: LiveServer, router: Api, operator: Api) -> None:
    first, second = await router.opened(), await router.opened(responder="patient")
    ahead = await asked(router, first)
    patient, path = Api(server, "participant", "patient"), f"/ws/relationships/{second}"
    async with watching(server, path, api=patient) as visitor:
        mine = await asked(router, second)
        before = await told(visitor)
        assert before is not None
        async with watching(server, path, api=patient) as later:
            assert await told(later) == before, "who connects is told at once"
        await operator.post(f"/handoffs/{ahead['id']}/note", {"text": "moves nobody"})
        await operator.post(f"/handoffs/{ahead['id']}/claim", {"version": ahead["version"] + 1})
        assert await told(visitor) == before - 1
        await operator.post(f"/handoffs/{ahead['id']}/release")
        assert await told(visitor) == before, "who was there first is first again"
        await operator.post(f"/handoffs/{mine['id']}/claim", {"version": mine["version"]})
        assert await told(visitor) is None
    numbers = [message["position"] for message in visitor.heard if message["type"] == "queue"]
    assert numbers == [before, before - 1, before, None], "nothing was told twice"
