"""What a client may say: three small messages, anything else ends the socket."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from uuid import UUID

from conversations.consumers.refusals import Close, Refused

MAX_CHARACTERS = 4096


class Said(StrEnum):
    VIEWING = "viewing"
    TYPING = "typing"
    PING = "ping"


@dataclass(frozen=True, slots=True)
class ClientMessage:
    type: Said
    relationship: str | None = None


def read_message(frame: Mapping[str, Any]) -> ClientMessage:
    """A frame as a message, or the refusal of it."""
    text = frame.get("text")
    if text is None:
        raise refusal("not_text", "Messages are JSON texts.")
    if len(text) > MAX_CHARACTERS:
        raise refusal("message_too_large", f"A message has at most {MAX_CHARACTERS} characters.")
    try:
        told = json.loads(text)
    except (ValueError, RecursionError):
        raise refusal("invalid_json", "This is not JSON.") from None
    if not isinstance(told, dict) or told.get("type") not in list(Said):
        raise refusal("unknown_message", f"A message is one of: {', '.join(Said)}.")
    return ClientMessage(Said(told["type"]), relationship_in(told))


def relationship_in(told: Mapping[str, Any]) -> str | None:
    if told.get("relationship") is None:
        return None
    try:
        return str(UUID(told["relationship"]))
    except (ValueError, TypeError, AttributeError):
        raise refusal("invalid_relationship", "`relationship` is the id of one.") from None


def refusal(code: str, detail: str) -> Refused:
    return Refused(Close.BAD_MESSAGE, code, detail)
