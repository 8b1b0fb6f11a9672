"""A reply request with everything filled in."""

from datetime import UTC, datetime
from typing import Any

from conversations.responders.port import ReplyRequest, Utterance

NOW = datetime(2026, 1, 15, 10, 0, tzinfo=UTC)


def request(**changes: Any) -> ReplyRequest:
    asked: dict[str, Any] = {
        "relationship_id": "r1",
        "message_id": "m1",
        "prompt": "Hi {name}, what is your e-mail address?",
        "now": NOW,
        "facts": {"name": "Jan"},
        "visitor_text": "hello",
        "history": (Utterance("visitor", "hello"),),
    }
    return ReplyRequest(**(asked | changes))
