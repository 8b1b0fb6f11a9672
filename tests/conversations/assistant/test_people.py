"""When a person is asked for, takes over, and gives back."""

import pytest

from tests.cast import Actor, accepted, refused
from tests.conversations.assistant.world import SHOES, Visitor, card_ids, policy, route, state
from tests.invariants import snapshot

pytestmark = pytest.mark.django_db


def test_who_asks_for_a_person_waits_in_the_queue_for_the_given_reason(visitor: Visitor, operator: Actor) -> None:
    answer = visitor.say("can I talk to someone please")
    assert (state(answer), answer["status"], answer["suppressed"]) == ("handoff", "HANDOFF", None)
    handoff = accepted(operator.get(f"/handoffs/{answer['handoff_id']}"))
    assert (handoff["reason"], handoff["status"]) == ("human_request", "waiting")
    assert visitor.relationship()["owner"]["kind"] == "queue"


def test_while_waiting_a_visitor_hears_the_waiting_notice_and_nothing_else(visitor: Visitor) -> None:
    waiting = visitor.click("human")
    for turn in ({"text": "running shoes"}, {"meaning": "show_more"}, {"meaning": "human"}, {"text": "yes"}):
        answer = visitor.say(**turn)
        assert (state(answer), card_ids(answer), answer["suppressed"]) == ("handoff", [], "owned_by_human")
        assert route(answer) == ["handoff", "handoff"]
        assert answer["reply"]["text"] == "A person will be with you soon. You are number 1 in the queue."
        assert answer["handoff_id"] == waiting["handoff_id"]
    assert len(visitor.events("handoff_requested")) == 1
    assert len(visitor.events("turn_taken")) == 5, "what the visitor says is recorded"


def test_an_operator_takes_over_and_the_assistant_falls_silent(visitor: Visitor, operator: Actor) -> None:
    visitor.say("running shoes")
    taken = accepted(operator.post(f"{visitor.path}/takeover", {"reason": "I know this one"}), 201)
    assert visitor.dialogue()["state"] == "handoff"
    answer = visitor.say("summer dress")
    assert (answer["reply"], answer["suppressed"], state(answer)) == (None, "owned_by_human", "handoff")
    assert answer["handoff_id"] == taken["id"]


def test_a_pending_question_does_not_survive_a_takeover(visitor: Visitor, operator: Actor) -> None:
    visitor.click("select", "shoe-03")
    handoff = accepted(operator.post(f"{visitor.path}/takeover", {"reason": "mine"}), 201)
    visitor.say("yes")
    accepted(operator.post(f"/handoffs/{handoff['id']}/return", {"note": "done"}))
    assert state(visitor.say("yes")) == "idle"
    assert visitor.events("action_confirmed") == []


def test_a_return_leaves_the_dialogue_idle_and_awake(visitor: Visitor, operator: Actor) -> None:
    visitor.say("running shoes")
    handoff = accepted(operator.post(f"{visitor.path}/takeover", {"reason": "mine"}), 201)
    accepted(operator.post(f"/handoffs/{handoff['id']}/return", {"note": "over to you"}))
    assert visitor.dialogue()["state"] == "idle"
    answer = visitor.say("running shoes")
    assert (state(answer), answer["suppressed"], answer["status"]) == ("recommending", None, "OK")
    assert card_ids(answer) == SHOES[5:10], "what was shown before the takeover was shown"


def test_a_released_conversation_waits_again(visitor: Visitor, operator: Actor) -> None:
    handoff = accepted(operator.post(f"{visitor.path}/takeover", {"reason": "mine"}), 201)
    accepted(operator.post(f"/handoffs/{handoff['id']}/release", {}))
    answer = visitor.say("hello?")
    assert (state(answer), answer["reply"]["text"]) == (
        "handoff",
        "A person will be with you soon. You are number 1 in the queue.",
    )


def test_a_reset_while_a_person_owns_the_chat_says_nothing(visitor: Visitor, operator: Actor) -> None:
    visitor.say("running shoes")
    accepted(operator.post(f"{visitor.path}/takeover", {"reason": "mine"}), 201)
    visitor.rewrite_state({"state": "dancing"})
    answer = visitor.say("hello?")
    assert (answer["reply"], answer["suppressed"]) == (None, "owned_by_human")


def test_a_person_may_be_asked_for_from_outside_too(visitor: Visitor, router: Actor) -> None:
    visitor.say("running shoes")
    accepted(router.post(f"{visitor.path}/handoff", {"reason": "angry"}), 201)
    assert visitor.dialogue()["state"] == "handoff"
    assert state(visitor.say("running shoes")) == "handoff"


def test_a_lower_clarification_cap_applies_at_once(visitor: Visitor, editor: Actor) -> None:
    visitor.say("hmm")
    policy(editor, clarification_cap=1)
    assert state(visitor.say("uh")) == "handoff"


def test_a_higher_repeat_limit_applies_at_once(visitor: Visitor, editor: Actor) -> None:
    policy(editor, repeat_intent=4)
    states = [state(visitor.say("zeppelin", intent="product_search")) for _ in range(4)]
    assert states == ["idle", "idle", "idle", "clarifying"]


def test_a_closed_conversation_takes_no_turn(visitor: Visitor, router: Actor) -> None:
    visitor.say("running shoes")
    accepted(router.post(f"{visitor.path}/close", {"closure_type": "completed"}))
    before = snapshot(), visitor.dialogue()
    problem = refused(
        router.post(f"{visitor.path}/turns", {"message_id": "late", "text": "shoes"}), 409, "conversation_closed"
    )
    assert problem["closure_event"]["closure_type"] == "completed"
    assert (snapshot(), visitor.dialogue()) == before
