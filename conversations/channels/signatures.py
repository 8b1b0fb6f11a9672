"""Whether a webhook comes from who it says. Pure: secret, headers, raw body and the moment are arguments."""

import hashlib
import hmac
from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum

WINDOW_SECONDS = 300
Headers = Mapping[str, str]


class Signature(StrEnum):
    VALID = "valid"
    PATH_SECRET = "path_secret"  # noqa: S105 a verdict's name
    MISSING = "missing"
    STALE = "stale"
    WRONG = "wrong"

    @property
    def accepted(self) -> bool:
        return self in (Signature.VALID, Signature.PATH_SECRET)


def chatwoot_signature(
    headers: Headers, body: bytes, *, secret: str, now: datetime, path_secret: str | None = None
) -> Signature:
    """`sha256=` over `{timestamp}.{body}`; servers before 4.13 do not sign and show the secret in the path instead."""
    given, timestamp = headers.get("X-Chatwoot-Signature"), headers.get("X-Chatwoot-Timestamp")
    if given is None and path_secret is not None:
        return Signature.PATH_SECRET if same(path_secret, secret) else Signature.WRONG
    return judged(given, timestamp, prefix="sha256=", signed="{}.", body=body, secret=secret, now=now)


def slack_signature(
    headers: Headers, body: bytes, *, secret: str, now: datetime, path_secret: str | None = None
) -> Signature:
    """`v0=` over `v0:{timestamp}:{body}`; Slack always signs, so a secret in the path counts for nothing."""
    given, timestamp = headers.get("X-Slack-Signature"), headers.get("X-Slack-Request-Timestamp")
    return judged(given, timestamp, prefix="v0=", signed="v0:{}:", body=body, secret=secret, now=now)


def judged(
    given: str | None, timestamp: str | None, *, prefix: str, signed: str, body: bytes, secret: str, now: datetime
) -> Signature:
    """Forged is told before old: only who knows the secret learns that a request is merely late."""
    if not given or not timestamp:
        return Signature.MISSING
    if not (timestamp.isascii() and timestamp.isdigit() and len(timestamp) <= 12):
        return Signature.WRONG
    digest = hmac.new(secret.encode(), signed.format(timestamp).encode() + body, hashlib.sha256).hexdigest()
    if not same(given, prefix + digest):
        return Signature.WRONG
    return Signature.VALID if abs(now.timestamp() - int(timestamp)) <= WINDOW_SECONDS else Signature.STALE


def same(given: str, expected: str) -> bool:
    """In constant time, whatever characters were sent."""
    return hmac.compare_digest(given.encode(errors="replace"), expected.encode())
