"""Slack as it speaks to us."""

import hashlib
import hmac
import json
from datetime import datetime
from itertools import count
from typing import Any

from django.http import HttpResponse
from django.utils import timezone

from tests.cast import Actor

SECRET = "slack's signing secret"
_event_ids = count(1)


def envelope(event: dict[str, Any], event_id: str | None = None) -> dict[str, Any]:
    return {
        "type": "event_callback",
        "team_id": "T1",
        "event_id": event_id or f"Ev{next(_event_ids)}",
        "event_time": 1_800_000_000,
        "event": event,
    }


def message(text: str, *, ts: str = "1700000000.000100", **changed: Any) -> dict[str, Any]:
    return {"type": "message", "channel": "C1", "user": "U1", "text": text, "ts": ts, **changed}


def signed_headers(body: bytes, *, at: datetime | None = None, secret: str = SECRET) -> dict[str, str]:
    moment = str(int((at or timezone.now()).timestamp()))
    digest = hmac.new(secret.encode(), f"v0:{moment}:".encode() + body, hashlib.sha256).hexdigest()
    return {"X_Slack_Request_Timestamp": moment, "X_Slack_Signature": f"v0={digest}"}


def deliver(path: str, payload: Any, *, headers: dict[str, str] | None = None, **signing: Any) -> HttpResponse:
    body = json.dumps(payload).encode()
    return Actor().send(path.removeprefix("/api/v1"), body, **signed_headers(body, **signing), **(headers or {}))
