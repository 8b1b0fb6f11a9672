"""Chatwoot as it speaks to us: payloads and signatures as `integrations.md` states them."""

import hashlib
import hmac
import json
from datetime import datetime
from typing import Any

from django.http import HttpResponse
from django.utils import timezone

from tests.cast import Actor

SECRET = "a secret nobody else knows"
CONTACT = {"id": 7, "name": "Ada"}
HUMAN = {"id": 3, "name": "Grace", "email": "grace@example.org", "type": "user"}
BOT = {"id": 1, "name": "Lastword", "type": "agent_bot"}


def conversation(id_: int = 42, status: str = "pending", assignee: Any = None) -> dict[str, Any]:
    return {
        "id": id_,
        "inbox_id": 5,
        "status": status,
        "channel": "Channel::WebWidget",
        "labels": [],
        "custom_attributes": {},
        "meta": {"sender": CONTACT, "assignee": assignee, "assignee_type": "User" if assignee else None},
        "messages": [{"message_type": 0, "created_at": 1_760_000_000}],
    }


def message(id_: int, content: str | None, **changed: Any) -> dict[str, Any]:
    """A visitor's message, unless changed into something else."""
    return {
        "event": "message_created",
        "id": id_,
        "content": content,
        "content_type": "text",
        "content_attributes": {},
        "message_type": "incoming",
        "private": False,
        "created_at": "2025-11-27T14:00:00.000Z",
        "source_id": None,
        "account": {"id": 1, "name": "Shop"},
        "inbox": {"id": 5, "name": "Web"},
        "sender": CONTACT,
        "conversation": conversation(),
        **changed,
    }


def submitted(id_: int, values: Any, **changed: Any) -> dict[str, Any]:
    """A choice coming back: an update of our own outgoing message."""
    told = {
        "event": "message_updated",
        "content_type": "input_select",
        "content_attributes": {"submitted_values": values},
        "message_type": "outgoing",
        "sender": BOT,
    }
    return message(id_, "Choose", **{**told, **changed})


def status_changed(status: str, *, event: str = "conversation_status_changed", **changed: Any) -> dict[str, Any]:
    return {"event": event, "changed_attributes": None, **conversation(status=status), **changed}


def signed_headers(body: bytes, *, at: datetime | None = None, secret: str = SECRET) -> dict[str, str]:
    moment = str(int((at or timezone.now()).timestamp()))
    digest = hmac.new(secret.encode(), f"{moment}.".encode() + body, hashlib.sha256).hexdigest()
    return {
        "X_Chatwoot_Timestamp": moment,
        "X_Chatwoot_Delivery": "d-1",
        "X_Chatwoot_Signature": f"sha256={digest}",
    }


def deliver(path: str, payload: Any, *, sender: Actor | None = None, **signing: Any) -> HttpResponse:
    """One webhook as Chatwoot sends it; whoever sends many brings a sender, since making one is slow."""
    body = json.dumps(payload).encode()
    return (sender or Actor()).send(path.removeprefix("/api/v1"), body, **signed_headers(body, **signing))
