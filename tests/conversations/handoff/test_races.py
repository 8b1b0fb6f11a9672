"""Many at once: one claim wins, and a turn that was under way when a person took over says nothing."""

from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest

from conversations.services import turns
from tests.cast import Actor, Opens, accepted
from tests.flows.api.support import SLUG, Visitor, heard, published
from tests.invariants import assert_history_holds
from tests.live_server import LiveServer


def test_of_twelve_claims_at_once_one_wins_and_the_others_name_the_winner(server: LiveServer) -> None:
    def call(key: str, path: str, body: dict) -> httpx.Response:
        headers = {"Authorization": f"Bearer {key}"}
        return httpx.post(f"{server.url}/api/v1{path}", json=body, headers=headers, timeout=60)

    router = server.key("router")
    opened = call(router, "/relationships", {"initiator": "race-bank", "responder": "race-customer"}).json()
    handoff = call(router, f"/relationships/{opened['id']}/handoff", {"reason": "all of you"}).json()
    keys = [server.manage("create_api_key", f"racer-{number}", "--role", "operator") for number in range(2)]
    body = {"version": handoff["version"]}
    with ThreadPoolExecutor(12) as crowd:
        answers = list(crowd.map(lambda key: call(key, f"/handoffs/{handoff['id']}/claim", body), keys * 6))
    winners = [answer.json()["operator"] for answer in answers if answer.status_code == 200]
    assert len(winners) == 1
    losers = [answer.json() for answer in answers if answer.status_code != 200]
    assert {(loser["code"], loser["operator"]) for loser in losers} == {("already_claimed", winners[0])}


@pytest.fixture
def visitor(editor: Actor, router: Actor, opened: Opens) -> Visitor:
    published(editor)
    return Visitor(router, opened(driver="flow", flow=SLUG))


def test_a_turn_whose_words_were_being_read_when_a_person_took_over_is_recorded_and_not_answered(
    visitor: Visitor, operator: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor.say()
    read = turns.read_reply

    def slowly(*words: object, **options: object) -> object:
        accepted(operator.post(f"{visitor.path}/takeover", {"reason": "mine"}), 201)
        return read(*words, **options)

    monkeypatch.setattr(turns, "read_reply", slowly)
    answer = visitor.say("a@example.com")
    assert (answer["suppressed"], answer["reply"], answer["decisions"]) == ("owned_by_human", None, [])
    assert visitor.runtime()["facts"] == []
    assert_history_holds()


def test_words_read_for_a_question_that_was_answered_meanwhile_are_read_again(
    visitor: Visitor, router: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, readings = turns.read_reply, []

    def slowly(text: str, wanted: tuple, **options: object) -> object:
        readings.append([each.name for each in wanted])
        if len(readings) == 1:  # the flow is opened by somebody else just now
            accepted(router.post(f"{visitor.path}/turns", {"message_id": "other", "text": ""}))
        return read(text, wanted, **options)

    monkeypatch.setattr(turns, "read_reply", slowly)
    answer = visitor.say("a@example.com")
    assert readings == [[], ["contact_email"]]
    assert (answer["status"], answer["factsProduced"]) == ("COMPLETE", ["contact_email"])


def test_a_flow_that_never_stands_still_is_answered_in_the_end(
    visitor: Visitor, router: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, readings = turns.read_reply, []

    def slowly(text: str, wanted: tuple, **options: object) -> object:
        readings.append(text)
        router.post(f"{visitor.path}/turns", {"message_id": f"other-{len(readings)}", "facts": {}})
        return read(text, wanted, **options)

    monkeypatch.setattr(turns, "read_reply", slowly)
    assert heard(visitor.say("hm")) in ([], [("mail-1", "HANDOFF")])
    assert len(readings) <= turns.REREADINGS + 1
    assert_history_holds()
