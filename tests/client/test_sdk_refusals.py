"""Every refusal is an exception of its own, and a conversation that ended says how to go on."""

import httpx
import lastword_client as sdk
import pytest

from tests.client.wire import CLOSURE, OFFER, RELATIONSHIP, Wire, problem, result_of

REFUSALS = [
    (401, "unauthorized", sdk.Unauthorized),
    (403, "forbidden", sdk.Forbidden),
    (403, "intent_direction", sdk.IntentDirectionError),
    (403, "response_direction", sdk.ResponseDirectionError),
    (403, "not_a_party", sdk.NotAPartyError),
    (403, "sender_mismatch", sdk.SenderMismatchError),
    (404, "not_found", sdk.NotFound),
    (409, "max_depth_exceeded", sdk.MaxDepthExceededError),
    (409, "conversation_closed", sdk.ConversationClosedError),
    (409, "conversation_expired", sdk.ConversationExpiredError),
    (409, "conversation_not_closed", sdk.ConversationNotClosedError),
    (409, "followup_active", sdk.FollowupActiveError),
    (409, "outside_appointment", sdk.OutsideAppointmentError),
    (409, "owned_by_human", sdk.OwnedByHumanError),
    (422, "invalid", sdk.ValidationFailed),
    (422, "idempotency_mismatch", sdk.IdempotencyMismatch),
    # codes this client does not know are told by their status
    (401, "key_revoked", sdk.Unauthorized),
    (403, "some_new_code", sdk.Forbidden),
    (404, "some_new_code", sdk.NotFound),
    (409, "some_new_code", sdk.LastwordError),
    (413, "too_large", sdk.ValidationFailed),
    (422, "flow_invalid", sdk.ValidationFailed),
    (500, "internal", sdk.ServerError),
    (507, "conversation_closed", sdk.ServerError),
]


@pytest.mark.parametrize(("status", "code", "kind"), REFUSALS)
async def test_a_refusal_is_raised_once_by_its_code(
    wire: Wire, status: int, code: str, kind: type[sdk.LastwordError]
) -> None:
    client = wire.client(problem(status, code, figure=7))
    with pytest.raises(sdk.LastwordError) as refused:
        await result_of(client.send_intent("r1", "advice"))
    error = refused.value
    assert type(error) is kind
    assert (error.status, error.code, error.detail) == (status, code, f"It is {code}.")
    assert error.problem["figure"] == 7
    assert len(wire.requests) == 1


@pytest.mark.parametrize("code", ["max_depth_exceeded", "conversation_closed", "conversation_expired"])
async def test_an_ended_conversation_hands_over_its_closure_and_offer(wire: Wire, code: str) -> None:
    client = wire.client(problem(409, code, closure_event=CLOSURE))
    with pytest.raises(sdk.ConversationEndedError) as refused:
        await result_of(client.send_intent("r1", "advice"))
    error = refused.value
    assert error.closure_event is not None
    assert error.closure_event.closure_type == error.closure_event["closure_type"] == "max_depth"
    assert error.re_engagement_offer == error.closure_event.offer == sdk.Offer.read(OFFER)
    assert error.user_prompt == f"It is {code}. Continue in a follow-up conversation in 24 hours about documents?"


async def test_the_offer_in_the_refusal_itself_comes_first(wire: Wire) -> None:
    other = OFFER | {"previous_fir_a_id": "r9"}
    client = wire.client(problem(409, "max_depth_exceeded", closure_event=CLOSURE, re_engagement_offer=other))
    with pytest.raises(sdk.MaxDepthExceededError) as refused:
        await result_of(client.send_intent("r1", "advice"))
    assert refused.value.offer is not None
    assert refused.value.offer.previous_fir_a_id == "r9"


async def test_an_ended_conversation_without_a_closure_offers_nothing(wire: Wire) -> None:
    client = wire.client(problem(409, "conversation_closed"))
    with pytest.raises(sdk.ConversationClosedError) as refused:
        await result_of(client.send_intent("r1", "advice"))
    assert refused.value.closure_event is refused.value.offer is None
    assert refused.value.user_prompt == "It is conversation_closed."


async def test_an_offer_is_accepted_from_the_error_that_carries_it(wire: Wire) -> None:
    followup = httpx.Response(201, json=RELATIONSHIP | {"id": "r2"})
    client = wire.client(problem(409, "max_depth_exceeded", closure_event=CLOSURE), followup)
    with pytest.raises(sdk.MaxDepthExceededError) as refused:
        await result_of(client.send_intent("r1", "advice"))
    continued = await result_of(client.accept_offer(refused.value, {"id": "a1"}))
    assert continued.id == "r2"
    assert wire.requests[1].url.path == "/api/v1/relationships/r1/followups"
    assert wire.bodies[1] == {"appointment": {"id": "a1"}}


async def test_an_offer_is_accepted_from_a_closure(wire: Wire) -> None:
    client = wire.client(httpx.Response(200, json=CLOSURE), httpx.Response(201, json=RELATIONSHIP | {"id": "r2"}))
    closure = await result_of(client.close_conversation("r1", "incomplete"))
    assert (await result_of(client.accept_offer(closure))).id == "r2"


async def test_nothing_is_sent_where_nothing_was_offered(wire: Wire) -> None:
    closure = sdk.Closure.read(CLOSURE | {"re_engagement_offer": None})
    with pytest.raises(ValueError, match="without an offer"):
        await result_of(wire.client().accept_offer(closure))
    assert wire.requests == []


async def test_validation_names_the_fields(wire: Wire) -> None:
    errors = [{"field": "appointment.end", "code": "before_start", "message": "It ends before it starts."}]
    client = wire.client(problem(422, "invalid", errors=errors))
    with pytest.raises(sdk.ValidationFailed) as refused:
        await result_of(client.init_relationship("bank", "customer"))
    assert refused.value.errors == errors


async def test_a_human_owner_is_named(wire: Wire) -> None:
    client = wire.client(problem(409, "owned_by_human", owner={"kind": "operator", "operator": "eva"}))
    with pytest.raises(sdk.OwnedByHumanError) as refused:
        await result_of(client.send_intent("r1", "advice"))
    assert refused.value.owner["operator"] == "eva"


async def test_a_page_of_html_is_told_by_its_status(wire: Wire) -> None:
    client = wire.client(httpx.Response(403, html="<h1>Nope</h1>"))
    with pytest.raises(sdk.Forbidden, match="HTTP status 403"):
        await result_of(client.get_relationship("r1"))


@pytest.mark.parametrize(
    "strange",
    [
        httpx.Response(200, html="<h1>Welcome to the hotel's network</h1>"),
        httpx.Response(200, json=["not", "an", "object"]),
        httpx.Response(200, json={"no": "id"}),
        httpx.Response(200, json={"id": "r1", "created_at": "yesterday"}),
        httpx.Response(302, headers={"Location": "http://elsewhere.test/"}),
    ],
)
async def test_what_does_not_speak_this_api_is_an_unexpected_answer(wire: Wire, strange: httpx.Response) -> None:
    client = wire.client(strange)
    with pytest.raises(sdk.UnexpectedAnswer) as refused:
        await result_of(client.get_relationship("r1"))
    assert refused.value.status == strange.status_code
    assert len(wire.requests) == 1
