"""The client against a real server, beyond the seed's script."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import httpx
import lastword_client as sdk
import pytest
from lastword_client import AsyncLastwordClient, LastwordClient

from tests.live_server import LiveServer

KeyHolder = Callable[[str], LastwordClient]


@pytest.fixture
def holding(server: LiveServer) -> Iterator[KeyHolder]:
    """A client with a key bound to a participant."""
    made: list[LastwordClient] = []

    def holder(participant: str) -> LastwordClient:
        made.append(LastwordClient(server.url, server.key("participant", participant)))
        return made[-1]

    yield holder
    for client in made:
        client.close()


def test_a_participants_key_is_the_sender(router: LastwordClient, holding: KeyHolder) -> None:
    fir_a = router.init_relationship("bank", "customer")
    bank, customer = holding("bank"), holding("customer")

    assert bank.send_intent(fir_a.id, "financial_advice").conversation_depth == 1
    assert customer.send_response(fir_a.id, "accepted", {"answer": "yes"}).event.type == "response_accepted"
    with pytest.raises(sdk.SenderMismatchError):
        bank.send_intent(fir_a.id, "financial_advice", sender="customer")
    with pytest.raises(sdk.ResponseDirectionError):
        bank.send_response(fir_a.id, "accepted")
    with pytest.raises(sdk.Forbidden):
        bank.sweep()
    assert bank.get_relationship(fir_a.id).conversation_depth == 1


def test_a_stranger_is_refused_and_changes_nothing(router: LastwordClient, holding: KeyHolder) -> None:
    fir_a = router.init_relationship("bank", "customer")
    with pytest.raises(sdk.NotAPartyError):
        router.send_intent(fir_a.id, "advice", sender="stranger")
    with pytest.raises(sdk.NotFound):
        holding("stranger").get_relationship(fir_a.id)
    assert router.get_relationship(fir_a.id).head == fir_a.head


def test_bad_keys_ids_and_terms_are_told_apart(server: LiveServer, router: LastwordClient) -> None:
    with LastwordClient(server.url, "no such key") as anonymous, pytest.raises(sdk.Unauthorized):
        anonymous.get_relationship(str(uuid4()))
    with pytest.raises(sdk.NotFound):
        router.get_relationship(str(uuid4()))
    with pytest.raises(sdk.ValidationFailed) as refused:
        router.init_relationship("bank", "customer", max_depth=0)
    assert [error["field"] for error in refused.value.errors] == ["max_depth"]


def test_the_offer_of_a_full_conversation_is_accepted(bank: LastwordClient) -> None:
    fir_a = bank.init_relationship("bank", "customer", max_depth=1)
    bank.send_intent(fir_a.id, "send_documents")
    with pytest.raises(sdk.MaxDepthExceededError) as refused:
        bank.send_intent(fir_a.id, "one_more")
    assert "send_documents" in refused.value.user_prompt

    followup = bank.accept_offer(refused.value)
    assert followup.continuation_of == fir_a.id
    assert followup.context["open_items_from_previous"] == ["send_documents"]
    assert [member.id for member in bank.lineage(followup.id)] == [fir_a.id, followup.id]
    with pytest.raises(sdk.FollowupActiveError):
        bank.accept_offer(refused.value)
    with pytest.raises(sdk.ConversationClosedError):
        bank.send_intent(fir_a.id, "too_late")
    with pytest.raises(sdk.ConversationNotClosedError):
        bank.create_followup_conversation(followup.id)


def test_an_intent_before_its_appointment_is_refused(bank: LastwordClient) -> None:
    start = datetime.now(UTC) + timedelta(hours=1)
    fir_a = bank.init_relationship(
        "bank", "customer", level=3, appointment={"start": start, "end": start + timedelta(hours=1)}
    )
    with pytest.raises(sdk.OutsideAppointmentError):
        bank.send_intent(fir_a.id, "early")
    assert bank.get_relationship(fir_a.id).conversation_depth == 0


def test_one_key_is_one_effect_and_another_body_is_refused(bank: LastwordClient) -> None:
    fir_a = bank.init_relationship("bank", "customer")
    key = str(uuid4())
    first = bank.send_intent(fir_a.id, "advice", idempotency_key=key)
    assert bank.send_intent(fir_a.id, "advice", idempotency_key=key) == first
    with pytest.raises(sdk.IdempotencyMismatch):
        bank.send_intent(fir_a.id, "other", idempotency_key=key)
    assert bank.get_relationship(fir_a.id).conversation_depth == 1


def test_a_conversation_is_rated_after_it_closed(router: LastwordClient, bank: LastwordClient) -> None:
    fir_a = bank.init_relationship("bank", "customer")
    closure = bank.close_conversation(fir_a.id, "completed", "All said")
    assert (closure.total_events, closure.seq) == (2, 2)
    assert router.rate(fir_a.id, 5, "Kind")["score"] == 5


def test_lists_are_read_over_many_pages(router: LastwordClient) -> None:
    party = f"lister-{uuid4().hex[:8]}"
    made = {router.init_relationship(party, "customer").id for _ in range(5)}
    found = [relationship.id for relationship in router.list_relationships(party=party, limit=2)]
    assert len(found) == 5
    assert set(found) == made


def test_the_sweep_closes_what_is_over(router: LastwordClient) -> None:
    fir_a = router.init_relationship("bank", "customer", timebox_hours=0.0001)
    while router.get_relationship(fir_a.id).is_active:
        router.sweep()
    closure = router.get_relationship(fir_a.id).closure_event
    assert closure is not None
    assert closure.closure_type == "expired"


def test_threads_sharing_a_client_at_the_last_depth_let_one_intent_through(bank: LastwordClient) -> None:
    fir_a = bank.init_relationship("bank", "customer", max_depth=1)

    def attempt(number: int) -> bool:
        try:
            bank.send_intent(fir_a.id, f"intent_{number}")
        except sdk.ConversationEndedError:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(attempt, range(16))) == 1


def test_a_person_is_asked_for(router: LastwordClient, bank: LastwordClient) -> None:
    fir_a = bank.init_relationship("bank", "customer")
    handoff = router.request_handoff(fir_a.id, "The customer asks for a person")
    assert (handoff.status, handoff.relationship) == ("waiting", fir_a.id)
    owner = router.get_relationship(fir_a.id).owner
    assert owner is not None
    assert owner.kind == "queue"


def test_a_flow_answers_a_visitors_turns(server: LiveServer, router: LastwordClient) -> None:
    slug = publish_flow(server)
    fir_a = router.init_relationship("shop", "visitor", driver="flow", flow=slug)
    opened = router.take_turn(fir_a.id)
    assert opened.reply is not None
    assert opened.reply["text"] == "Your e-mail address?"
    done = router.take_turn(fir_a.id, "eva@example.org", message_id="m2")
    assert done.status == "COMPLETE"
    assert router.take_turn(fir_a.id, "eva@example.org", message_id="m2").duplicate
    assert router.verify(fir_a.id).ok


def publish_flow(server: LiveServer) -> str:
    """A flow of one question, published by an editor; its slug."""
    slug = f"contact-{uuid4().hex[:8]}"
    definition = {
        "name": "Contact",
        "primaryGoal": {"type": "GATE", "gate": "CONTACT"},
        "gateDefinitions": {"CONTACT": {"satisfiedBy": {"metricsAll": ["contact_email"]}}},
        "facts": {"contact_email": {"type": "email"}},
        "nodes": [
            {
                "id": "ask",
                "title": "Ask",
                "importance": "high",
                "produces": ["contact_email"],
                "satisfies": {"gates": ["CONTACT"]},
                "runPolicy": {"maxExecutions": 3},
                "prompts": ["Your e-mail address?"],
            }
        ],
    }
    headers = {"Authorization": f"Bearer {server.key('editor')}"}
    with httpx.Client(base_url=f"{server.url}/api/v1", headers=headers) as editor:
        editor.post("/flows", json={"slug": slug, "name": "Contact", "definition": definition}).raise_for_status()
        editor.post(f"/flows/{slug}/publish", json={"note": "first"}).raise_for_status()
    return slug


def test_the_server_is_healthy(router: LastwordClient) -> None:
    assert router.health().raw


async def test_the_awaiting_client_carries_a_whole_conversation(server: LiveServer) -> None:
    async with AsyncLastwordClient(server.url, server.key("router")) as router:
        bank, customer = router.as_participant("bank"), router.as_participant("customer")
        fir_a = await bank.init_relationship("bank", "customer", max_depth=1)
        await bank.send_intent(fir_a.id, "offer_mortgage", {})
        await customer.send_response(fir_a.id, "signed", {})
        with pytest.raises(sdk.MaxDepthExceededError) as refused:
            await bank.send_intent(fir_a.id, "another", {})
        assert refused.value.closure_event is not None
        assert refused.value.closure_event.outcome == "completed_with_signature"
        followup = await bank.accept_offer(refused.value)
        assert [event.type for event in await bank.events(followup.id)] == ["fir_a_created", "fir_a_continuation"]
        listed = [item.id async for item in router.list_relationships(party="bank", state="active")]
        assert followup.id in listed
        assert [receipt.seq for receipt in router.receipts.of(fir_a.id)] == [1, 2, 3, 4]
