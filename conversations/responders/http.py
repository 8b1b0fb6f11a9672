"""A reply from an agent over HTTP: one signed POST, answered with `{"text": "..."}`."""

import json
from dataclasses import dataclass, field

import httpx

from conversations.outgoing.client import DEFAULT_TIMEOUT, AnswerTooLarge, post_bounded, safe_client
from conversations.outgoing.signing import SIGNATURE_HEADER, signature
from conversations.outgoing.url_safety import UnsafeUrl
from conversations.responders.port import Reply, ReplyRequest, ResponderFailure, reply_from

KIND = "http"
MAX_ANSWER_BYTES = 64 * 1024
_TOO_MANY_REQUESTS = 429


@dataclass(frozen=True, slots=True)
class HttpResponder:
    """An agent of the customer's own, reached at `url` and trusted with nothing but the reply's text."""

    url: str
    secret: str = field(repr=False)
    allow_private: bool = False
    timeout_seconds: float = DEFAULT_TIMEOUT

    def respond(self, *, request: ReplyRequest) -> Reply:
        body = json.dumps(_payload(request), ensure_ascii=False, default=str).encode()
        headers = {
            "Content-Type": "application/json",
            SIGNATURE_HEADER: signature(self.secret, body, at=request.now),
        }
        try:
            with safe_client(allow_private=self.allow_private, timeout_seconds=self.timeout_seconds) as client:
                answer = post_bounded(client, self.url, content=body, headers=headers, max_bytes=MAX_ANSWER_BYTES)
        except UnsafeUrl as error:
            raise ResponderFailure(error.code, retryable=False) from error
        except AnswerTooLarge as error:
            raise ResponderFailure("answer_too_large", retryable=False) from error
        except httpx.TimeoutException as error:
            raise ResponderFailure("timeout", retryable=True) from error
        except httpx.TransportError as error:
            raise ResponderFailure("unreachable", retryable=True) from error
        if answer.status != httpx.codes.OK:
            retryable = answer.status >= 500 or answer.status == _TOO_MANY_REQUESTS
            raise ResponderFailure(f"http_{answer.status}", retryable=retryable)
        return reply_from(_text(answer.body), responder=KIND)


def _payload(request: ReplyRequest) -> dict[str, object]:
    return {
        "relationship": request.relationship_id,
        "message_id": request.message_id,
        "persona": request.persona,
        "prompt": request.prompt,
        "directive": request.directive,
        "facts": dict(request.facts),
        "visitor_text": request.visitor_text,
        "history": [{"speaker": said.speaker, "text": said.text} for said in request.history],
    }


def _text(body: bytes) -> object:
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError) as error:
        raise ResponderFailure("not_json", retryable=False) from error
    return answer.get("text") if isinstance(answer, dict) else None
