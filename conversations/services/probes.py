"""The test buttons: does the other side hear us, and let us in? Nothing is changed by asking."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import httpx
from django.utils import timezone

from conversations.channels.registry import ADAPTERS
from conversations.outgoing.client import Answer, AnswerTooLarge
from conversations.outgoing.signing import SIGNATURE_HEADER, signature
from conversations.outgoing.url_safety import UnsafeUrl
from conversations.selectors.channels import channel_by, subscription_by
from conversations.services.remote_calls import json_of, send
from conversations.services.sealing import unsealed

PING = "ping"


@dataclass(frozen=True, slots=True)
class Tested:
    """What a test call showed: a code and its figures, worded where it is shown."""

    ok: bool
    code: str
    figures: Mapping[str, object] = field(default_factory=dict)


def probe_channel(*, channel_id: UUID) -> Tested:
    """Asks Chatwoot or Slack whether our token opens anything there."""
    channel = channel_by(channel_id)
    adapter = ADAPTERS[channel.kind]
    request = adapter.probe(channel, unsealed(channel.token_sealed))
    answer = asked(request.url, request.json, headers=request.headers)
    if isinstance(answer, Tested):
        return answer
    sent = adapter.judged(answer.status, json_of(answer.body))
    if adapter.accepts_us(sent):
        return Tested(True, "let_in")
    if sent.error:
        return Tested(False, "refused", {"error": sent.error})
    return Tested(False, "refused_with_status", {"status": sent.status})


def probe_subscription(*, subscription_id: UUID) -> Tested:
    """Sends a signed `ping`, which is no event of any conversation."""
    subscription = subscription_by(subscription_id)
    ping = {"type": PING, "subscription": str(subscription.pk)}
    secret = unsealed(subscription.secret_sealed)
    answer = asked(subscription.url, ping, secret=secret)
    if isinstance(answer, Tested):
        return answer
    return Tested(200 <= answer.status < 300, "answered", {"status": answer.status})


def asked(
    url: str, body: Mapping[str, Any], *, headers: Mapping[str, str] | None = None, secret: str = ""
) -> Answer | Tested:
    """The answer, or why there is none."""
    raw = json.dumps(dict(body)).encode()
    signed = {SIGNATURE_HEADER: signature(secret, raw, at=timezone.now())} if secret else {}
    try:
        return send(url, body=raw, headers={**(headers or {}), **signed})
    except UnsafeUrl as problem:
        return Tested(False, "unsafe_address", {"problem": problem.code})
    except (httpx.TransportError, AnswerTooLarge) as problem:
        return Tested(False, "no_answer", {"problem": type(problem).__name__})
