"""A party's socket carries the whole chain without what colleagues write among themselves."""

from tests.conversations.sockets.watching import Api, Watcher, summary_of, watching
from tests.live_server import LiveServer

SECRET = "Careful with this one"


def heard_of(watcher: Watcher, type_: str) -> dict:
    [event] = [each["event"] for each in watcher.heard if each.get("event", {}).get("type") == type_]
    return event


async def test_a_note_reaches_colleagues_and_not_the_party(server: LiveServer, router: Api, operator: Api) -> None:
    party = Api(server, "participant", "customer")
    relationship = await router.opened()
    path = f"/ws/relationships/{relationship}"
    async with (
        watching(server, path, api=party) as customer,
        watching(server, path, api=operator) as colleague,
        watching(server, "/ws/live", api=party) as board,
    ):
        await customer.events_until(1)
        await colleague.events_until(1)
        taken = await operator.post(f"/relationships/{relationship}/takeover", {"reason": SECRET}, status=201)
        await operator.post(f"/handoffs/{taken['id']}/note", {"text": SECRET})
        await operator.post(f"/handoffs/{taken['id']}/reply", {"text": "Hello"})
        assert await customer.events_until(5) == await colleague.events_until(5) == [1, 2, 3, 4, 5]
        await board.until(lambda message: message["type"] == "summary" and message["seq"] == 5)
    assert heard_of(colleague, "operator_noted")["payload"]["text"] == SECRET
    note = heard_of(customer, "operator_noted")
    assert (note["payload"], note["withheld"]) == (None, True)
    assert note["hash"] == heard_of(colleague, "operator_noted")["hash"]
    assert heard_of(customer, "operator_replied")["payload"] == {"text": "Hello"}
    assert SECRET not in str(customer.heard) + str(board.heard)
    # and when it is read from the database instead
    async with watching(server, path, api=party) as late:
        assert await late.events_until(5) == [1, 2, 3, 4, 5]
    assert SECRET not in str(late.heard)


async def test_what_an_agent_is_doing_is_on_our_board_and_not_on_the_partys(
    server: LiveServer, router: Api, operator: Api
) -> None:
    party = Api(server, "participant", "customer")
    relationship = await router.opened(driver="workflow")
    shown = summary_of(relationship, seq=2)

    async def at_once_and_later() -> tuple[str | None, str | None]:
        async with (
            watching(server, "/ws/live", api=operator) as ours,
            watching(server, "/ws/live", api=party) as theirs,
        ):
            return (await ours.until(shown))["current"], (await theirs.until(shown))["current"]

    async with watching(server, "/ws/live", api=operator) as ours, watching(server, "/ws/live", api=party) as theirs:
        await ours.until(summary_of(relationship))
        await theirs.until(summary_of(relationship))
        step = {"step_id": "s1", "operation": "look_up_salary", "parameters": {}, "response": "n/a"}
        await router.post(f"/relationships/{relationship}/steps", step)
        told = (await ours.until(shown))["current"], (await theirs.until(shown))["current"]
    assert told == await at_once_and_later() == ("look_up_salary", None)
