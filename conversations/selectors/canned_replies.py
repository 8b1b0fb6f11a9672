"""Texts at an operator's hand."""

from conversations.models import CannedReply


def canned_replies() -> list[dict[str, str]]:
    """Every one, by its shortcut, as the chat offers them."""
    return list(CannedReply.objects.values("shortcut", "text"))


def canned_reply_rows() -> list[CannedReply]:
    """The same, to be changed and removed."""
    return list(CannedReply.objects.all())
