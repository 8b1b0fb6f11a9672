"""How we speak in Chatwoot: messages, choices as `input_select`, cards with links, and the conversation's status."""

from collections.abc import Iterator, Mapping
from typing import Any

from conversations.channels.heard import Payload
from conversations.channels.spoken import Call, Request, Sent, Speaker, Words, words_of
from conversations.domain import handoff
from conversations.domain.events import Recorded
from conversations.models import Channel, ChannelConversation

MESSAGES = "messages"
TOGGLE_STATUS = "toggle_status"
TOGGLE_TYPING = "toggle_typing_status"
NOT_FOUND = 404
MAX_CARDS = 10
CHOOSE = "…"
STATUS_OF = {handoff.REQUESTED: "open", handoff.RETURNED: "pending"}


def calls(event: Recorded, conversation: ChannelConversation, channel: Channel) -> list[Call]:
    """The requests an event needs, in order."""
    if event.type in STATUS_OF:
        # What a person did over there is there already; only what happened here has to be shown.
        return [] if event.actor == channel.actor else [status_call(STATUS_OF[event.type])]
    words = words_of(event)
    return [] if words is None else list(message_calls(words))


def status_call(status: str) -> Call:
    return Call(TOGGLE_STATUS, {"status": status}, Speaker.SERVICE)


def typing(on: bool) -> Call:
    """The three dots in the visitor's widget."""
    return Call(TOGGLE_TYPING, {"typing_status": "on" if on else "off"}, Speaker.PERSON)


def message_calls(words: Words) -> Iterator[Call]:
    """Cards first, then the text with its choices: what is asked last is what the visitor answers."""
    linked = [card_item(card) for card in words.cards[:MAX_CARDS] if card.get("url")]
    if linked:
        titles = ", ".join(item["title"] for item in linked)
        yield message(words, content=titles, content_type="cards", items=linked)
    unlinked = [str(card.get("title") or "") for card in words.cards if not card.get("url")]
    text = "\n".join(line for line in (words.text, *unlinked) if line)
    items = [choice_item(choice) for choice in words.quick_replies if choice.get("title")]
    if items:
        yield message(words, content=text or CHOOSE, content_type="input_select", items=items)
    elif text:
        yield message(words, content=text)


def message(words: Words, *, content: str, content_type: str = "text", items: list[Any] | None = None) -> Call:
    body: dict[str, Any] = {"content": content, "message_type": "outgoing", "private": False}
    if items:
        body |= {"content_type": content_type, "content_attributes": {"items": items}}
    return Call(MESSAGES, body, words.speaker)


def choice_item(choice: Mapping[str, Any]) -> dict[str, str]:
    """A choice comes back as its value: the meaning and what it is about, or simply the words."""
    title, meaning, target = str(choice["title"]), choice.get("meaning"), choice.get("target_id")
    value = title if not meaning else f"{meaning}:{target}" if target else str(meaning)
    return {"title": title, "value": value}


def card_item(card: Mapping[str, Any]) -> dict[str, Any]:
    """A card with its link. A postback would never reach us, so none is offered."""
    price = f"{card['price']} {card.get('currency') or ''}".strip() if card.get("price") else ""
    description = " · ".join(part for part in (price, str(card.get("description") or "")) if part)
    title = str(card.get("title") or "")
    return {
        "media_url": str(card.get("image_url") or ""),
        "title": title,
        "description": description,
        "actions": [{"type": "link", "text": title[:60] or "Open", "uri": str(card["url"])}],
    }


def request(call: Payload, conversation: str, channel: Channel, token: str) -> Request:
    """Where a call goes, and as whom."""
    url = f"{account_root(channel)}/conversations/{conversation}/{call['name']}"
    return Request(url, {"api_access_token": token}, call["json"])


def probe(channel: Channel, token: str) -> Request:
    """A call that changes nothing: a bot may not read, so it types in a conversation that does not exist."""
    url = f"{account_root(channel)}/conversations/0/{TOGGLE_TYPING}"
    return Request(url, {"api_access_token": token}, {"typing_status": "off"})


def account_root(channel: Channel) -> str:
    return f"{channel.base_url.rstrip('/')}/api/v1/accounts/{channel.account_id}"


def judged(status: int, answer: Payload) -> Sent:
    """What came of a call; the message's id is how its echo will be known."""
    identity = answer.get("id")
    return Sent(status, str(identity) if isinstance(identity, int | str) else "")


def accepts_us(sent: Sent) -> bool:
    """There is no such conversation: the probe was understood and our token let in."""
    return sent.status == NOT_FOUND or 200 <= sent.status < 300
