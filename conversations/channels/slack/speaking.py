"""How personas speak in Slack: one app, many names."""

from typing import Any

from conversations.channels.heard import Payload
from conversations.channels.slack.reading import own_id
from conversations.channels.spoken import Call, Request, Sent, words_of
from conversations.domain.events import Recorded
from conversations.models import Channel, ChannelConversation

POST_MESSAGE = "chat.postMessage"
DEFAULT_ROOT = "https://slack.com/api"
TOO_MANY_REQUESTS = 429
PASSING = frozenset({"internal_error", "fatal_error", "service_unavailable", "request_timeout", "team_added_to_org"})


def calls(event: Recorded, conversation: ChannelConversation, channel: Channel) -> list[Call]:
    """A persona's words, in its thread and under its name."""
    words = words_of(event)
    if words is None or not words.text:
        return []
    _team, slack_channel, thread_ts = conversation.external_id.split(":", 2)
    body: dict[str, Any] = {"channel": slack_channel, "text": words.text, "thread_ts": thread_ts}
    told = event.content
    if name := str(told.get("name") or words.persona):
        body["username"] = name
    if icon := told.get("icon_emoji"):
        body["icon_emoji"] = str(icon)
    return [Call(POST_MESSAGE, body, words.speaker, persona=words.persona)]


def typing(on: bool) -> Call | None:
    """Slack has no such call for apps."""
    return None


def request(call: Payload, conversation: str, channel: Channel, token: str) -> Request:
    return Request(f"{api_root(channel)}/{call['name']}", bearer(token), call["json"])


def probe(channel: Channel, token: str) -> Request:
    """Slack's own question for this: who am I?"""
    return Request(f"{api_root(channel)}/auth.test", bearer(token), {})


def api_root(channel: Channel) -> str:
    return (channel.base_url or DEFAULT_ROOT).rstrip("/")


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def judged(status: int, answer: Payload) -> Sent:
    """Slack answers 200 and says in the body what went wrong."""
    if not 200 <= status < 300:
        return Sent(status)
    if answer.get("ok") is True:
        known = answer.get("channel") and answer.get("ts")
        return Sent(status, own_id(str(answer["channel"]), str(answer["ts"])) if known else "")
    error = str(answer.get("error") or "no_answer")[:100]
    if error == "ratelimited":
        return Sent(TOO_MANY_REQUESTS, error=error)
    return Sent(status, error=error, retry=error in PASSING)


def accepts_us(sent: Sent) -> bool:
    return 200 <= sent.status < 300 and not sent.error
