"""One effect per key: the stored answer commits with what it answers."""

import pytest
from pytest_django import Settings

from conversations.models import IdempotencyRecord, Relationship
from conversations.services.api_keys import revoke_api_key
from conversations.services.idempotency import purge_idempotency
from tests.cast import INITIATOR, RESPONDER, Actor, Clock, Opens, accepted, refused
from tests.invariants import snapshot

pytestmark = pytest.mark.django_db

PARTIES = {"initiator": INITIATOR, "responder": RESPONDER}
REPLAYED = "Idempotent-Replayed"


def test_the_same_request_twice_has_one_effect_and_one_answer(router: Actor) -> None:
    first = router.post("/relationships", PARTIES, Idempotency_Key="k1")
    before = snapshot()
    second = router.post("/relationships", PARTIES, Idempotency_Key="k1")
    assert (first.status_code, second.status_code) == (201, 201)
    assert first.content == second.content
    assert REPLAYED not in first.headers
    assert second.headers[REPLAYED] == "true"
    assert snapshot() == before


def test_without_a_key_two_requests_are_two(router: Actor) -> None:
    for headers in ({}, {}, {"Idempotency_Key": ""}, {"Idempotency_Key": ""}):
        accepted(router.post("/relationships", PARTIES, **headers), 201)
    assert Relationship.objects.count() == 4


def test_another_body_under_the_same_key_is_refused(router: Actor) -> None:
    router.post("/relationships", PARTIES, Idempotency_Key="k1")
    before = snapshot()
    refused(
        router.post("/relationships", {**PARTIES, "max_depth": 2}, Idempotency_Key="k1"), 422, "idempotency_mismatch"
    )
    assert snapshot() == before


def test_another_address_under_the_same_key_is_refused(router: Actor, opened: Opens) -> None:
    first, second = opened(), opened()
    body = {"sender": INITIATOR, "intent": "a"}
    accepted(router.post(f"{first}/intents", body, Idempotency_Key="k1"), 201)
    before = snapshot()
    refused(router.post(f"{second}/intents", body, Idempotency_Key="k1"), 422, "idempotency_mismatch")
    assert snapshot() == before


def test_two_callers_keys_never_meet(initiator: Actor, responder: Actor, opened: Opens) -> None:
    path = opened()
    accepted(initiator.post(f"{path}/rating", {"score": 1}, Idempotency_Key="k1"), 201)
    other = responder.post(f"{path}/rating", {"score": 5}, Idempotency_Key="k1")
    assert other.status_code == 201
    assert REPLAYED not in other.headers


def test_a_refusal_that_closed_the_conversation_is_replayed(initiator: Actor, opened: Opens) -> None:
    path = opened(max_depth=1)
    accepted(initiator.post(f"{path}/intents", {"intent": "a"}), 201)
    first = initiator.post(f"{path}/intents", {"intent": "b"}, Idempotency_Key="k1")
    refused(first, 409, "max_depth_exceeded")
    assert Relationship.objects.get().conversation_state == "closed", "the answer is stored together with the closing"
    second = initiator.post(f"{path}/intents", {"intent": "b"}, Idempotency_Key="k1")
    assert refused(second, 409, "max_depth_exceeded") == first.json()
    assert second.headers[REPLAYED] == "true"
    assert second.headers["Content-Type"] == "application/problem+json"


def test_a_validation_error_is_replayed(router: Actor) -> None:
    for replayed in (False, True):
        answer = router.post("/relationships", {}, Idempotency_Key="k1")
        refused(answer, 422, "invalid")
        assert (REPLAYED in answer.headers) is replayed


def test_who_is_not_let_in_may_try_again_with_the_same_key(stranger: Actor, auditor: Actor, opened: Opens) -> None:
    path = opened()
    for actor, status in ((stranger, 404), (auditor, 403)):
        for _ in range(2):
            answer = actor.post(f"{path}/intents", {"intent": "a"}, Idempotency_Key="k1")
            assert answer.status_code == status
            assert REPLAYED not in answer.headers
    assert not IdempotencyRecord.objects.exists()


@pytest.mark.parametrize("sender", [RESPONDER, "nobody-we-know"])
def test_a_refusal_by_the_rules_is_replayed(router: Actor, opened: Opens, sender: str) -> None:
    path, body = opened(), {"sender": sender, "intent": "a"}
    first = router.post(f"{path}/intents", body, Idempotency_Key="k1")
    second = router.post(f"{path}/intents", body, Idempotency_Key="k1")
    assert (first.status_code, second.status_code) == (403, 403)
    assert first.content == second.content
    assert (REPLAYED in first.headers, second.headers.get(REPLAYED)) == (False, "true")
    other = router.post(f"{path}/intents", {**body, "intent": "b"}, Idempotency_Key="k1")
    refused(other, 422, "idempotency_mismatch")


def test_a_request_without_a_valid_key_stores_nothing(nobody: Actor, opened: Opens) -> None:
    path = opened()
    for _ in range(2):
        refused(nobody.post(f"{path}/intents", {"intent": "a"}, Idempotency_Key="k1"), 401, "unauthorized")
    assert not IdempotencyRecord.objects.exists()


def test_a_revoked_key_does_not_get_stored_answers(router: Actor) -> None:
    accepted(router.post("/relationships", PARTIES, Idempotency_Key="k1"), 201)
    revoke_api_key(router.record)
    refused(router.post("/relationships", PARTIES, Idempotency_Key="k1"), 401, "unauthorized")


def test_a_fault_of_ours_undoes_everything_and_leaves_the_key_free(
    router: Actor, opened: Opens, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = opened()
    before = snapshot()

    def fails(*_: object) -> None:
        raise RuntimeError("after the event was written")

    with monkeypatch.context() as broken:
        broken.setattr("conversations.api.relationships.exchange_json", fails)
        answer = router.client.post(
            f"/api/v1{path}/intents",
            {"sender": INITIATOR, "intent": "a"},
            content_type="application/json",
            headers={"Authorization": f"Bearer {router.key}", "Idempotency-Key": "k1"},
        )
    assert answer.status_code == 500
    assert snapshot() == before
    retried = router.post(f"{path}/intents", {"sender": INITIATOR, "intent": "a"}, Idempotency_Key="k1")
    assert accepted(retried, 201)["conversation_depth"] == 1
    assert REPLAYED not in retried.headers


def test_a_very_long_key_is_a_key_too(router: Actor) -> None:
    for key, replayed in (("k" * 5000, False), ("k" * 5000, True), ("k" * 5001, False)):
        answer = router.post("/relationships", PARTIES, Idempotency_Key=key)
        assert (REPLAYED in answer.headers) is replayed


def test_reading_is_never_stored(router: Actor, opened: Opens) -> None:
    path = opened()
    router.call("GET", path, headers={"Idempotency-Key": "k1"})
    assert not IdempotencyRecord.objects.exists()


def test_answers_are_forgotten_when_no_caller_retries_any_more(router: Actor, clock: Clock) -> None:
    router.post("/relationships", PARTIES, Idempotency_Key="k1")
    clock.advance(hours=71)
    assert purge_idempotency() == 0
    clock.advance(hours=2)
    assert purge_idempotency() == 1


def test_replays_count_against_the_rate(router: Actor, settings: Settings) -> None:
    settings.LASTWORD_RATE_LIMIT = 3
    settings.LASTWORD_RATE_WINDOW_SECONDS = 3600
    answers = [router.post("/relationships", PARTIES, Idempotency_Key="k1") for _ in range(5)]
    assert [answer.status_code for answer in answers] == [201, 201, 201, 429, 429]
