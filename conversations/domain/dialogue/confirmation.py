"""Yes and no: which words count, and for how long a question stays open."""

from datetime import datetime, timedelta
from enum import StrEnum

from conversations.domain.dialogue.record import PendingConfirmation
from conversations.domain.intents.text import normalise
from conversations.domain.intents.types import Recognised, Source
from conversations.domain.intents.words import CANCELLING, CONFIRMING
from conversations.domain.times import from_text


class Answer(StrEnum):
    """An answer to a pending confirmation; the values are the intents of the same name."""

    CONFIRM = "confirm"
    CANCEL = "cancel"


def read_words(text: str) -> Answer | None:
    """The answer a whole message spells, in English or Darija; "ok but blue" spells none."""
    word = normalise(text)
    if word in CONFIRMING:
        return Answer.CONFIRM
    return Answer.CANCEL if word in CANCELLING else None


def read_answer(understood: Recognised, text: str, pending: PendingConfirmation) -> Answer | None:
    """The answer in a message: a click beats the text, the text a caller; a recogniser's guess is none.

    Nor is a click on the button of an earlier question, which was about another item.
    """
    said = Answer(understood.intent) if understood.intent in set(Answer) else None
    if understood.source is Source.CLICK:
        return said if understood.target_id in (None, pending.target_id) else None
    if word := read_words(text):
        return word
    return said if understood.source is Source.CALLER and understood.is_clear else None


def is_pending(pending: PendingConfirmation) -> bool:
    """Whether a question is open at all."""
    return pending.action is not None


def has_expired(pending: PendingConfirmation, now: datetime, lifetime_seconds: float) -> bool:
    """Whether an open question is older than its lifetime; at exactly the lifetime it is alive."""
    if pending.created_at is None:
        return False
    return now - from_text(pending.created_at) > timedelta(seconds=lifetime_seconds)
