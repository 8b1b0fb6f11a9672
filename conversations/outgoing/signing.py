"""How the other side knows a request is ours: `X-Lastword-Signature: t=<seconds>,v1=<hex>`."""

import hashlib
import hmac
from datetime import datetime

SIGNATURE_HEADER = "X-Lastword-Signature"


def signature(secret: str, body: bytes, *, at: datetime) -> str:
    """HMAC-SHA256 over `t.body`; the time is signed too, so that a captured request grows old."""
    moment = int(at.timestamp())
    digest = hmac.new(secret.encode(), f"{moment}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={moment},v1={digest}"
