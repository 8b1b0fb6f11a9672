"""A rating may follow the closure; the newest one counts."""

import pytest

from conversations.models import Relationship
from tests.cast import Actor, Opens, accepted, refused
from tests.invariants import snapshot

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("closed", [True, False])
def test_a_party_rates_an_open_or_closed_conversation(
    router: Actor, responder: Actor, opened: Opens, closed: bool
) -> None:
    path = opened()
    if closed:
        router.post(f"{path}/close", {"closure_type": "completed"})
    answer = accepted(responder.post(f"{path}/rating", {"score": 4, "comment": "fine"}), 201)
    assert (answer["score"], answer["comment"]) == (4, "fine")
    assert answer["event"]["type"] == "conversation_rated"
    assert answer["event"]["actor"] == responder.record.participant.actor
    stored = accepted(responder.get(path))
    assert stored["head"] == {"seq": answer["event"]["seq"], "hash": answer["event"]["hash"]}
    assert Relationship.objects.get().rating == 4


def test_the_newest_rating_counts_and_moves_no_expiry(responder: Actor, opened: Opens) -> None:
    path = opened()
    before = accepted(responder.get(path))["expires_at"]
    for score in (2, 5):
        accepted(responder.post(f"{path}/rating", {"score": score}), 201)
    assert Relationship.objects.get().rating == 5
    assert accepted(responder.get(path))["expires_at"] == before


@pytest.mark.parametrize("score", [0, 6, -1, 3.5, "5", None, True])
def test_a_score_is_one_to_five(responder: Actor, opened: Opens, score: object) -> None:
    path = opened()
    before = snapshot()
    problem = refused(responder.post(f"{path}/rating", {"score": score}), 422, "invalid")
    assert problem["errors"][0]["field"] == "score"
    assert snapshot() == before
