"""Tickets: how a key opens a websocket, since a browser cannot send a header with one."""

import secrets

from django.core import signing
from django.core.cache import cache

from conversations.models import ApiKey

SECONDS = 60
SALT = "lastword.ws-ticket"


def issue_ticket(key: ApiKey) -> str:
    """A signed ticket for one socket, good for a minute."""
    return signing.dumps([key.pk, secrets.token_urlsafe(12)], salt=SALT)


def redeem_ticket(ticket: str) -> int | None:
    """The key a ticket was made for, the first time it is shown in time; else nothing."""
    try:
        key_id, nonce = signing.loads(ticket, salt=SALT, max_age=SECONDS)
    except signing.BadSignature:
        return None
    # atomic in every process: of two that show the same ticket one adds it
    return int(key_id) if cache.add(f"ws-ticket:{nonce}", 1, timeout=2 * SECONDS) else None
