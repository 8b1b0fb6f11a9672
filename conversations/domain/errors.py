"""Refusals are data: a code, a status, figures, and whether the same request closes the conversation."""

from typing import Any, ClassVar


class ConversationError(Exception):
    """A named refusal. `figures` travel to the caller beside the code; nothing else does."""

    code: ClassVar[str] = "conversation_error"
    status: ClassVar[int] = 409
    title: ClassVar[str] = "The conversation refused this"
    closes_as: ClassVar[str | None] = None

    def __init__(self, detail: str, **figures: Any) -> None:
        super().__init__(detail)
        self.detail = detail
        self.figures = figures


class InvalidTermsError(ConversationError):
    """Terms that contradict themselves; `errors` names each field."""

    code = "invalid"
    status = 422
    title = "The request is not valid"

    def __init__(self, *, field: str, code: str, message: str) -> None:
        super().__init__(message, errors=[{"field": field, "code": code, "message": message}])


class NotCanonicalError(InvalidTermsError):
    """Content without a canonical JSON form, such as an integer beyond 2^53."""

    def __init__(self, message: str, *, field: str) -> None:
        super().__init__(field=field, code="not_canonical", message=message)


class NotFoundError(ConversationError):
    code = "not_found"
    status = 404
    title = "There is nothing here by that name"


class ForbiddenError(ConversationError):
    code = "forbidden"
    status = 403
    title = "This key may not do that"


class IntentDirectionError(ConversationError):
    code = "intent_direction"
    status = 403
    title = "Only the initiator sends intents"


class ResponseDirectionError(ConversationError):
    code = "response_direction"
    status = 403
    title = "Only the responder sends responses"


class NotAPartyError(ConversationError):
    code = "not_a_party"
    status = 403
    title = "The sender is no party to this conversation"


class SenderMismatchError(ConversationError):
    code = "sender_mismatch"
    status = 403
    title = "The sender is not the participant this key belongs to"


class MaxDepthExceededError(ConversationError):
    code = "max_depth_exceeded"
    title = "The conversation has reached its depth"
    closes_as = "max_depth"


class ConversationExpiredError(ConversationError):
    code = "conversation_expired"
    title = "The conversation has expired"
    closes_as = "expired"


class ConversationClosedError(ConversationError):
    code = "conversation_closed"
    title = "The conversation is closed"


class ConversationNotClosedError(ConversationError):
    code = "conversation_not_closed"
    title = "The conversation is still open"


class FollowupActiveError(ConversationError):
    code = "followup_active"
    title = "A follow-up of this conversation is already active"


class OutsideAppointmentError(ConversationError):
    code = "outside_appointment"
    title = "The appointment has not started"


class OwnedByHumanError(ConversationError):
    code = "owned_by_human"
    title = "A human owns this conversation"


class NotErasableError(ConversationError):
    """`erased` or `kept_as_mark`: what stands in the way is in `reason`."""

    code = "not_erasable"
    title = "This payload cannot be erased"


class NotDrivenError(ConversationError):
    code = "not_driven"
    title = "This conversation's driver does not take that"
