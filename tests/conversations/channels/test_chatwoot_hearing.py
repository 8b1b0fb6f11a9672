"""What is answered in Chatwoot, and what is only seen: every silence has its reason."""

from typing import Any

import pytest

from conversations.models import ChannelConversation, Delivery, Handoff, Relationship
from tests.conversations.channels import chatwoot_world as world
from tests.conversations.channels.conftest import Hears, chain_types
from tests.conversations.channels.remote_server import Remote

pytestmark = pytest.mark.django_db


def told(delivery: Delivery) -> tuple[str, str]:
    return delivery.verdict, delivery.reason


def test_a_visitors_message_is_answered_by_the_flow(hears: Hears, chatwoot: Remote) -> None:
    delivery = hears(world.message(1, "Hello"))
    assert told(delivery) == ("replied", "")
    call = chatwoot.calls[0]
    assert call.path == "/api/v1/accounts/1/conversations/42/messages"
    assert call.headers["api_access_token"] == "bot token"
    assert call.json == {"content": "What is your email?", "message_type": "outgoing", "private": False}


def test_the_conversation_goes_on_in_one_relationship_to_its_end(hears: Hears, chatwoot: Remote) -> None:
    hears(world.message(1, "Hello"))
    last = hears(world.message(2, "ada@example.org"))
    relationship = Relationship.objects.get()
    assert last.relationship_id == relationship.pk
    assert relationship.closure_type == "completed"
    assert (relationship.channel, relationship.driver) == ("chatwoot", "flow")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"private": True}, "private_note"),
        ({"message_type": "template"}, "template"),
        ({"message_type": 2}, "activity"),
        ({"message_type": "outgoing", "sender": world.BOT}, "bot_message"),
        ({"conversation": world.conversation(status="open")}, "conversation_open"),
        ({"conversation": world.conversation(status="resolved")}, "conversation_resolved"),
        ({"conversation": world.conversation(status="snoozed")}, "conversation_snoozed"),
        ({"conversation": world.conversation(assignee=world.HUMAN)}, "assigned_to_a_person"),
        ({"content": None}, "no_text"),
        ({"event": "message_updated", "message_type": "outgoing"}, "nothing_submitted"),
    ],
)
def test_what_is_only_observed(hears: Hears, chatwoot: Remote, changes: dict[str, Any], reason: str) -> None:
    delivery = hears(world.message(1, "Hello") | changes)
    assert told(delivery) == ("ignored", reason)
    assert not chatwoot.calls
    assert not Relationship.objects.exists()


def test_a_conversation_assigned_to_our_bot_is_answered(hears: Hears) -> None:
    ours = world.conversation(assignee=world.BOT)
    ours["meta"]["assignee_type"] = "AgentBot"
    assert hears(world.message(1, "Hello", conversation=ours)).verdict == "replied"


def test_numbers_stand_for_names_too(hears: Hears) -> None:
    pending = world.conversation() | {"status": 2}
    assert hears(world.message(1, "Hello", message_type=0, conversation=pending)).verdict == "replied"


def test_our_own_message_coming_back_is_known_by_its_id(hears: Hears, chatwoot: Remote) -> None:
    hears(world.message(1, "Hello"))
    echo = world.message(9_000, "What is your email?", message_type="outgoing", sender=world.HUMAN)
    assert told(hears(echo)) == ("ignored", "own_message")
    assert len(chatwoot.calls) == 1
    assert Relationship.objects.get().owner_kind == "bot"


def test_a_choice_comes_back_as_an_update_of_our_own_message(hears: Hears, chatwoot: Remote) -> None:
    hears(world.message(1, "Hello"))
    delivery = hears(world.submitted(9_000, [{"title": "ada@example.org", "value": "ada@example.org"}]))
    assert delivery.status == "worked"
    assert Relationship.objects.get().closure_type == "completed"


def test_an_address_typed_into_our_form_is_words(hears: Hears) -> None:
    hears(world.message(1, "Hello"))
    hears(world.submitted(9_000, None, content_attributes={"submitted_email": "ada@example.org"}))
    assert Relationship.objects.get().closure_type == "completed"


def test_an_update_without_and_then_with_a_choice_is_two_deliveries(hears: Hears) -> None:
    hears(world.message(1, "Hello"))
    assert hears(world.submitted(9_000, None)).reason == "nothing_submitted"
    assert hears(world.submitted(9_000, [{"title": "Yes", "value": "yes"}])).status == "worked"
    assert hears(world.submitted(9_000, [{"title": "Yes", "value": "yes"}])).status == "duplicate"


def test_a_click_while_a_person_has_it_is_recorded_and_not_answered(hears: Hears, chatwoot: Remote) -> None:
    hears(world.message(1, "Hello"))
    hears(world.message(2, "I will help you", message_type="outgoing", sender=world.HUMAN))
    chatwoot.calls.clear()
    click = world.submitted(9_000, [{"title": "Yes", "value": "yes"}])
    assert told(hears(click)) == ("recorded", "owned_by_human (status OK)")
    assert not chatwoot.calls


@pytest.mark.parametrize(("sender", "name"), [(world.HUMAN, "Grace"), (None, "somebody")])
def test_a_persons_message_takes_the_conversation_over_at_once(
    hears: Hears, chatwoot: Remote, sender: Any, name: str
) -> None:
    hears(world.message(1, "Hello"))
    delivery = hears(world.message(2, "I will help you", message_type="outgoing", sender=sender))
    relationship = Relationship.objects.get()
    assert delivery.verdict == "taken_over"
    assert (relationship.owner_kind, relationship.owner_operator) == ("operator", name)
    assert chain_types(relationship)[-3:] == ["handoff_requested", "handoff_claimed", "operator_replied"]
    assert len(chatwoot.calls) == 1, "what the person said is not said again"
    hears(world.message(3, "Thank you"))
    assert len(chatwoot.calls) == 1


def test_a_persons_next_message_is_recorded_as_theirs(hears: Hears) -> None:
    hears(world.message(1, "Hello"))
    hears(world.message(2, "I will help you", message_type="outgoing", sender=world.HUMAN))
    assert hears(world.message(3, "One moment", message_type="outgoing", sender=world.HUMAN)).verdict == "recorded"
    assert chain_types(Relationship.objects.get())[-2:] == ["operator_replied", "operator_replied"]


def test_somebody_elses_words_do_not_take_a_held_conversation(hears: Hears) -> None:
    hears(world.message(1, "Hello"))
    hears(world.message(2, "I will help you", message_type="outgoing", sender=world.HUMAN))
    other = {**world.HUMAN, "name": "Alan"}
    assert told(hears(world.message(3, "Me too", message_type="outgoing", sender=other))) == (
        "observed",
        "held_by Grace",
    )
    assert Relationship.objects.get().owner_operator == "Grace"


def test_a_visitors_words_are_kept_while_the_conversation_is_open_over_there(hears: Hears, chatwoot: Remote) -> None:
    hears(world.message(1, "Hello"))
    chatwoot.calls.clear()
    delivery = hears(world.message(2, "Anybody?", conversation=world.conversation(status="open")))
    assert told(delivery) == ("observed", "conversation_open")
    observed = Relationship.objects.get().events.get(type="message_observed")
    assert '"Anybody?"' in observed.payload.text
    assert not chatwoot.calls


def test_resolved_over_there_is_closed_here(hears: Hears) -> None:
    hears(world.message(1, "Hello"))
    assert hears(world.status_changed("resolved")).verdict == "closed"
    assert Relationship.objects.get().closure_type == "completed"
    told_again = world.status_changed("resolved", event="conversation_resolved")
    assert told(hears(told_again)) == ("ignored", "already_closed")


def test_reopened_over_there_is_a_followup_that_says_so(hears: Hears) -> None:
    hears(world.message(1, "Hello"))
    hears(world.status_changed("resolved"))
    assert hears(world.status_changed("pending")).verdict == "reopened"
    followup = ChannelConversation.objects.get(current=True).relationship
    assert followup.continuation_of is not None
    assert "conversation_reopened" in chain_types(followup)


def test_a_visitor_who_returns_after_the_end_is_answered_in_a_followup(hears: Hears, chatwoot: Remote) -> None:
    hears(world.message(1, "Hello"))
    hears(world.message(2, "ada@example.org"))
    chatwoot.calls.clear()
    assert hears(world.message(3, "Hello again")).verdict == "replied"
    assert Relationship.objects.count() == 2
    assert chatwoot.messages()[0]["content"] == "What is your email?"


def test_an_opinion_becomes_the_rating(hears: Hears) -> None:
    hears(world.message(1, "Hello"))
    survey = {"csat_survey_response": {"rating": 4, "feedback_message": "Fine"}}
    assert hears(world.submitted(8, survey, content_type="input_csat")).verdict == "rated"
    assert Relationship.objects.get().rating == 4


def test_status_changes_that_mean_nothing_are_left_alone(hears: Hears) -> None:
    hears(world.message(1, "Hello"))
    changed = [{"status": {"previous_value": "pending", "current_value": "open"}}]
    update = world.status_changed("open", event="conversation_updated", changed_attributes=changed)
    assert told(hears(update)) == ("ignored", "status_open")
    assert told(hears({"event": "webwidget_triggered", "id": 1})) == ("ignored", "webwidget_triggered")


def test_an_unknown_conversations_status_is_left_alone(hears: Hears) -> None:
    assert told(hears(world.status_changed("resolved"))) == ("ignored", "no_conversation")


def test_an_operator_of_ours_speaks_through_the_channel(hears: Hears, chatwoot: Remote, operator: Any) -> None:
    hears(world.message(1, "Hello"))
    path = f"/relationships/{Relationship.objects.get().pk}/takeover"
    handoff = operator.post(path, {"reason": "helping"}).json()
    operator.post(f"/handoffs/{handoff['id']}/reply", {"text": "Good day"})
    hears(world.status_changed("open"))
    assert chatwoot.statuses() == ["open"]
    assert [said["content"] for said in chatwoot.messages()] == ["What is your email?", "Good day"]


def test_giving_back_returns_the_conversation_to_the_bot_over_there(
    hears: Hears, chatwoot: Remote, operator: Any
) -> None:
    hears(world.message(1, "Hello"))
    handoff = operator.post(f"/relationships/{Relationship.objects.get().pk}/takeover", {"reason": "x"}).json()
    hears(world.status_changed("open"))
    answer = operator.post(f"/handoffs/{handoff['id']}/return", {"note": "go on"})
    assert answer.status_code == 200, answer.content
    hears(world.status_changed("open", event="conversation_updated"))
    assert chatwoot.statuses() == ["open", "pending"]
    assert chatwoot.messages()[-1]["content"] == "I did not see an address in that. Your email?"


def test_the_flows_own_handoff_opens_the_conversation_over_there(hears: Hears, chatwoot: Remote) -> None:
    for number, text in enumerate(("Hello", "what?", "no idea"), start=1):
        hears(world.message(number, text))
    assert chatwoot.statuses() == ["open"]
    assert Handoff.objects.get().status == "waiting"
    said = len(chatwoot.messages())
    delivery = hears(world.message(9, "still here", conversation=world.conversation(status="open")))
    assert delivery.verdict == "recorded"
    assert len(chatwoot.messages()) == said, "over there it is a person's by now"


RETURNED = [{"status": {"previous_value": "open", "current_value": "pending"}}]


@pytest.mark.parametrize("opening", [1, 3])
def test_a_person_over_there_may_return_the_conversation_to_the_bot(
    hears: Hears, chatwoot: Remote, opening: int
) -> None:
    """Once while a person has it, once while it only waits for one and the flow has nothing left to say."""
    for number in range(opening):
        hears(world.message(number + 1, "Hello"))
    if opening == 1:
        hears(world.message(9, "I will help you", message_type="outgoing", sender=world.HUMAN))
    update = world.status_changed("pending", event="conversation_updated", changed_attributes=RETURNED)
    delivery = hears(update)
    if opening == 1:
        assert told(delivery) == ("returned", "status_pending")
        assert Relationship.objects.get().owner_kind == "bot"
        assert chatwoot.messages()[-1]["content"] == "I did not see an address in that. Your email?"
        assert chatwoot.statuses() == []
    else:
        assert (delivery.verdict, delivery.reason.partition(":")[0]) == ("refused", "nobody_to_answer")
        assert Relationship.objects.get().owner_kind == "queue"
