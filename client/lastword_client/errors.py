"""Every refusal as a type of its own, with the server's problem document kept whole."""

from collections.abc import Mapping
from typing import Any

from lastword_client.answers import Closure, Offer


class LastwordError(Exception):
    """Anything that kept a call from succeeding. `code` is the server's; `problem` its whole document."""

    code = "lastword_error"

    def __init__(
        self,
        detail: str,
        *,
        code: str | None = None,
        status: int | None = None,
        problem: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(detail)
        self.code = code or type(self).code
        self.status = status
        self.detail = detail
        self.problem: Mapping[str, Any] = problem or {}


class TransportError(LastwordError):
    """No answer came: connection refused or lost, a timeout, or the deadline passed. The cause is chained.

    Whether a write took effect is unknown; the same call with this `idempotency_key` settles it.
    """

    code = "transport"

    def __init__(self, detail: str, *, idempotency_key: str | None = None) -> None:
        super().__init__(detail)
        self.idempotency_key = idempotency_key


class UnexpectedAnswer(LastwordError):
    """Something answered that does not speak this API (a proxy's page, a redirect, a truncated body)."""

    code = "unexpected_answer"


class ServerError(LastwordError):
    """A 5xx answer that retrying did not cure."""

    code = "server_error"


class Unauthorized(LastwordError):
    """No key, an unknown key or a revoked one."""

    code = "unauthorized"


class Forbidden(LastwordError):
    """The key's role may not do this."""

    code = "forbidden"


class NotFound(LastwordError):
    """Nothing by that id, or nothing this key may see."""

    code = "not_found"


class ValidationFailed(LastwordError):
    """The request makes no sense; `errors` lists `{field, code, message}`."""

    code = "invalid"

    @property
    def errors(self) -> list[Mapping[str, Any]]:
        return list(self.problem.get("errors") or [])


class IdempotencyMismatch(LastwordError):
    """The idempotency key was already used for another request."""

    code = "idempotency_mismatch"


class RateLimited(LastwordError):
    """Too many requests, and waiting `retry_after` seconds would have passed the deadline."""

    code = "rate_limited"
    retry_after: float | None = None


class IntentDirectionError(LastwordError):
    """Only the initiator sends intents; a responder answers with `send_response`."""

    code = "intent_direction"


class ResponseDirectionError(LastwordError):
    """Only the responder sends responses."""

    code = "response_direction"


class NotAPartyError(LastwordError):
    """The sender is neither initiator nor responder."""

    code = "not_a_party"


class SenderMismatchError(LastwordError):
    """The key belongs to another participant than the named sender."""

    code = "sender_mismatch"


class ConversationNotClosedError(LastwordError):
    """A follow-up needs its predecessor closed first."""

    code = "conversation_not_closed"


class FollowupActiveError(LastwordError):
    """Another follow-up of this conversation is still active; `problem` names it."""

    code = "followup_active"


class OutsideAppointmentError(LastwordError):
    """The appointment has not started."""

    code = "outside_appointment"


class OwnedByHumanError(LastwordError):
    """A person has taken over; automation may not speak for our side."""

    code = "owned_by_human"

    @property
    def owner(self) -> Mapping[str, Any]:
        return self.problem.get("owner") or {}


class ConversationEndedError(LastwordError):
    """The conversation is over; what follows is a follow-up, offered where one makes sense."""

    @property
    def closure_event(self) -> Closure | None:
        document = self.problem.get("closure_event")
        return Closure.read(document) if document else None

    @property
    def re_engagement_offer(self) -> Offer | None:
        """The offer in the refusal itself, or the one kept in the closure event."""
        if document := self.problem.get("re_engagement_offer"):
            return Offer.read(document)
        return self.closure_event.offer if self.closure_event else None

    @property
    def offer(self) -> Offer | None:
        """What `accept_offer` accepts, by the name it has on a closure too."""
        return self.re_engagement_offer

    @property
    def user_prompt(self) -> str:
        """What to show a person: why it ended and, where offered, what a follow-up would be about."""
        return f"{self.detail} {self.offer.question}" if self.offer else self.detail


class MaxDepthExceededError(ConversationEndedError):
    """One intent more than the conversation allows; the refusal closed it."""

    code = "max_depth_exceeded"


class ConversationClosedError(ConversationEndedError):
    """The conversation was closed before."""

    code = "conversation_closed"


class ConversationExpiredError(ConversationEndedError):
    """The timebox or the appointment is over."""

    code = "conversation_expired"
