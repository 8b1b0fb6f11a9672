"""The checker's eye for who spoke, and how often: each invariant is seen broken once, and whole beside it."""

from datetime import UTC, datetime
from typing import Any

import pytest

from audit.services.invariants_of_people import said_twice, spoken_out_of_turn
from conversations.domain.events import Recorded

HANDOFF = "11111111-1111-1111-1111-111111111111"


def chain(*told: tuple[str, str, dict[str, Any]]) -> list[Recorded]:
    at = datetime(2026, 1, 1, tzinfo=UTC)
    return [Recorded(seq, type_, at, actor, payload, "") for seq, (type_, actor, payload) in enumerate(told, start=1)]


REQUESTED = ("handoff_requested", "system", {"handoff_id": HANDOFF})
CLAIMED = ("handoff_claimed", "user:1", {"handoff_id": HANDOFF, "operator": "ada"})
RELEASED = ("handoff_released", "user:1", {"handoff_id": HANDOFF})
SAID = ("operator_replied", "user:1", {"handoff_id": HANDOFF, "text": "hello"})
SCHEDULED = ("persona_scheduled", "conductor", {"reply_id": "r"})
REPLIED = ("persona_replied", "conductor", {"reply_id": "r", "persona": "ada", "text": "hi"})
TURN = ("turn_taken", "visitor", {"message_id": "m", "reply": {"text": "hi"}})


@pytest.mark.parametrize(
    ("told", "broken"),
    [
        ([REQUESTED, CLAIMED, SAID], set()),
        ([REQUESTED, SAID], {"I6"}),
        ([REQUESTED, CLAIMED, RELEASED, SAID], {"I6"}),
        ([REQUESTED, CLAIMED, ("operator_replied", "user:2", {})], {"I6"}),
        ([SCHEDULED, REPLIED], set()),
        ([REPLIED], {"I11"}),
        ([SCHEDULED, REQUESTED, REPLIED], {"I11"}),
        ([TURN], set()),
        ([REQUESTED, TURN], set()),
        ([REQUESTED, CLAIMED, TURN], {"I11"}),
        ([REQUESTED, CLAIMED, ("turn_taken", "visitor", {"reply": None})], set()),
    ],
)
def test_who_may_speak(told: list[tuple[str, str, dict[str, Any]]], broken: set[str]) -> None:
    assert {invariant for invariant, _ in spoken_out_of_turn(chain(*told))} == broken


def test_a_message_id_has_one_effect() -> None:
    other = ("turn_taken", "visitor", {"message_id": "n"})
    assert list(said_twice(chain(TURN, other))) == []
    assert [invariant for invariant, _ in said_twice(chain(TURN, other, TURN))] == ["I7"]
