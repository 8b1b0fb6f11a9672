"""How replies look in Chatwoot."""

from datetime import UTC, datetime
from typing import Any

from conversations.channels.chatwoot.reading import read
from conversations.channels.chatwoot.speaking import calls
from conversations.channels.heard import Said
from conversations.domain.events import Recorded
from conversations.models import Channel, ChannelConversation
from tests.conversations.channels import chatwoot_world as world

LINKED = {"id": "p1", "title": "Red dress", "price": "20", "currency": "EUR", "url": "https://shop.example/p1"}
UNLINKED = {"id": "p2", "title": "Blue dress", "price": "30", "currency": "EUR", "url": None}


def bodies(reply: dict[str, Any] | None, **payload: Any) -> list[dict[str, Any]]:
    at = datetime(2025, 1, 1, tzinfo=UTC)
    event = Recorded(seq=2, type="turn_taken", at=at, actor="system", payload={"reply": reply, **payload}, hash="")
    return [dict(call.json) for call in calls(event, ChannelConversation(external_id="42"), Channel())]


def test_plain_words_are_a_plain_message() -> None:
    assert bodies({"text": "Hello"}) == [{"content": "Hello", "message_type": "outgoing", "private": False}]


def test_nothing_to_say_is_no_call() -> None:
    assert bodies(None) == []
    assert bodies({"text": "", "quick_replies": [], "cards": []}) == []


def test_choices_go_out_as_a_selection_and_come_back_with_their_meaning() -> None:
    choices = [
        {"title": "Show more", "meaning": "show_more", "target_id": None},
        {"title": "This one", "meaning": "select", "target_id": "p:1"},
        {"title": "Amsterdam", "meaning": None, "target_id": None},
    ]
    (body,) = bodies({"text": "What now?", "quick_replies": choices})
    assert (body["content"], body["content_type"]) == ("What now?", "input_select")
    items = body["content_attributes"]["items"]
    assert all(set(item) == {"title", "value"} for item in items)
    clicks = [read(world.submitted(9, [item])) for item in items]
    assert [(c.text, c.meaning, c.target_id) for c in clicks if isinstance(c, Said)] == [
        ("Show more", "show_more", None),
        ("This one", "select", "p:1"),
        ("Amsterdam", None, None),
    ]


def test_cards_have_a_link_each_and_never_a_postback() -> None:
    cards, text = bodies({"text": "Look", "cards": [LINKED, UNLINKED]})
    assert cards["content_type"] == "cards"
    (item,) = cards["content_attributes"]["items"]
    assert set(item) == {"media_url", "title", "description", "actions"}
    assert item["actions"] == [{"type": "link", "text": "Red dress", "uri": "https://shop.example/p1"}]
    assert item["description"] == "20 EUR"
    assert text["content"] == "Look\nBlue dress"
