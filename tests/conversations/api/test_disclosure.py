"""What colleagues write among themselves never reaches a party, and its chain stays whole all the same."""

import pytest

from conversations.domain.disclosure import for_party
from conversations.domain.events import Recorded
from conversations.domain.hash_chain import GENESIS
from conversations.models import Relationship
from conversations.selectors.summaries import last_lines
from tests.cast import Actor, Opens, accepted, refused

pytestmark = pytest.mark.django_db

SECRET = "He sounds drunk, be careful"


@pytest.fixture
def noted(opened: Opens, operator: Actor, initiator: Actor) -> str:
    """A conversation with an intent, a takeover, a private note and an answer of the operator's."""
    path = opened()
    accepted(initiator.post(f"{path}/intents", {"intent": "identify"}), 201)
    taken = accepted(operator.post(f"{path}/takeover", {"reason": f"{SECRET} (reason)"}), 201)
    accepted(operator.post(f"/handoffs/{taken['id']}/note", {"text": SECRET}))
    accepted(operator.post(f"/handoffs/{taken['id']}/reply", {"text": "Good morning"}))
    return path


def chain(actor: Actor, path: str) -> list[dict]:
    return accepted(actor.get(f"{path}/events"))["results"]


@pytest.mark.parametrize("side", ["initiator", "responder"])
def test_a_party_reads_what_was_said_and_no_note(noted: str, request: pytest.FixtureRequest, side: str) -> None:
    party: Actor = request.getfixturevalue(side)
    answer = party.get(f"{noted}/events")
    assert SECRET not in answer.content.decode()
    shown = {event["type"]: event for event in accepted(answer)["results"]}
    assert shown["intent"]["payload"]["intent"] == "identify"
    assert "withheld" not in shown["intent"]
    assert (shown["operator_replied"]["payload"], shown["operator_replied"]["withheld"]) == (
        {"text": "Good morning"},
        True,
    )
    for private in ("handoff_requested", "handoff_claimed", "operator_noted"):
        assert (shown[private]["payload"], shown[private]["withheld"]) == (None, True)


def test_a_partys_chain_is_whole_and_the_same_as_ours(noted: str, responder: Actor, auditor: Actor) -> None:
    ours, theirs = chain(auditor, noted), chain(responder, noted)
    header = ("seq", "type", "at", "actor", "prev_hash", "hash")
    assert [[event[name] for name in header] for event in theirs] == [
        [event[name] for name in header] for event in ours
    ]
    assert [event["prev_hash"] for event in theirs] == [GENESIS, *(event["hash"] for event in theirs[:-1])]


@pytest.mark.parametrize("role", ["router", "operator", "auditor"])
def test_our_own_people_read_everything(noted: str, request: pytest.FixtureRequest, role: str) -> None:
    [note] = [event for event in chain(request.getfixturevalue(role), noted) if event["type"] == "operator_noted"]
    assert note["payload"]["text"] == SECRET
    assert "withheld" not in note


def test_nothing_else_a_party_may_ask_for_has_the_note(noted: str, responder: Actor, operator: Actor) -> None:
    for path in (noted, "/relationships", f"{noted}/lineage"):
        assert SECRET not in responder.get(path).content.decode()
    for path in ("export", "verify"):
        refused(responder.get(f"{noted}/{path}"), 403, "forbidden")


def test_the_board_a_party_watches_has_neither_notes_nor_drafts(noted: str) -> None:
    rows = list(Relationship.objects.all())
    assert list(last_lines(rows).values()) == ["Good morning"]


def event(type_: str, **payload: object) -> Recorded:
    return Recorded(seq=1, type=type_, at=None, actor="x", payload=payload, hash="h")  # type: ignore[arg-type]


PRIVATE = (
    "operator_noted persona_drafted persona_skipped persona_postponed reply_withheld facts_changed "
    "loop_found step_taken handoff_returned an_event_nobody_thought_of"
)


@pytest.mark.parametrize("private", PRIVATE.split())
def test_what_is_not_named_is_private(private: str) -> None:
    shown = for_party(event(private, text=SECRET, draft=SECRET, verdicts=[]))
    assert (shown.payload, shown.withheld) == (None, True)


def test_of_a_turn_a_party_reads_the_words_alone() -> None:
    shown = for_party(event("turn_taken", message_id="m", text="Hi", reply=None, steps=[1], why_not={}, guards=[]))
    assert (shown.payload, shown.withheld) == ({"message_id": "m", "text": "Hi", "reply": None}, True)


def test_an_erased_event_is_erased_for_everybody_not_withheld() -> None:
    gone = Recorded(seq=1, type="operator_noted", at=None, actor="x", payload=None, hash="h")  # type: ignore[arg-type]
    assert not for_party(gone).withheld
