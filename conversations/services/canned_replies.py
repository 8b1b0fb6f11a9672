"""Texts at an operator's hand: making, changing, removing them."""

from django.core.exceptions import ValidationError

from conversations.domain.errors import InvalidTermsError, NotFoundError
from conversations.models import CannedReply


def save_canned_reply(*, shortcut: str, text: str, reply_id: int | None = None) -> CannedReply:
    """A new text, or another for one there is."""
    reply = CannedReply() if reply_id is None else canned_reply_by(reply_id)
    reply.shortcut, reply.text = shortcut.strip().removeprefix("/"), text.strip()
    try:
        reply.full_clean()
    except ValidationError as refusal:
        field, [message, *_] = next(iter(refusal.message_dict.items()))
        raise InvalidTermsError(field=field, code="invalid", message=message) from refusal
    reply.save()
    return reply


def remove_canned_reply(*, reply_id: int) -> None:
    canned_reply_by(reply_id).delete()


def canned_reply_by(reply_id: int) -> CannedReply:
    found = CannedReply.objects.filter(pk=reply_id).first()
    if found is None:
        raise NotFoundError("There is no such reply any more.")
    return found
