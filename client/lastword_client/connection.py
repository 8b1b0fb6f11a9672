"""What both clients have in common beside the core: who they speak for, and httpx in, plain values out."""

import copy
from dataclasses import replace
from typing import Any, Self

import httpx

from lastword_client.core import Core
from lastword_client.plan import Lost, Reply, Send
from lastword_client.receipts import ReceiptBook

# no repetition makes a malformed request or an unknown scheme work
HOPELESS = (httpx.UnsupportedProtocol, httpx.LocalProtocolError)


class Connection:
    """A client apart from how it sends."""

    def __init__(self, core: Core, timeout_seconds: float) -> None:
        self._core = core
        self._timeout_seconds = timeout_seconds

    @property
    def receipts(self) -> ReceiptBook:
        """Every `{seq, hash}` the server vouched for to this client and its views."""
        return self._core.receipts

    def as_participant(self, participant: str) -> Self:
        """The same client speaking for a participant; it shares connection and receipts."""
        view = copy.copy(self)
        view._core = replace(self._core, sender=participant)
        return view


def options(base_url: str, api_key: str) -> dict[str, Any]:
    """Arguments of an httpx client. Redirects are not followed: the key goes to this server only."""
    return {
        "base_url": base_url,
        "headers": {"Authorization": f"Bearer {api_key}", "Accept": "application/json, */*"},
        "follow_redirects": False,
    }


def arguments(send: Send, timeout_seconds: float) -> dict[str, Any]:
    """Arguments of one httpx request."""
    request = send.request
    return {
        "method": request.method,
        "url": request.path,
        "params": dict(request.query),
        "headers": dict(request.headers),
        "content": request.body,
        "timeout": min(timeout_seconds, send.patience),
    }


def reply_of(response: httpx.Response) -> Reply:
    headers = {name.lower(): value for name, value in response.headers.items()}
    return Reply(status=response.status_code, headers=headers, content=response.content)


def lost(problem: httpx.RequestError) -> Lost:
    return Lost(cause=problem, retryable=not isinstance(problem, HOPELESS))
